import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { Dialog } from '../ui/dialog';
import { SearchField } from '../ui/search-field';
import { anchorOf } from '../screens/guides/anchor';
import { GuideResults } from './guide-results';
import { guideOf } from './guides';

const KEYS: [string, string][] = [
  ['Ctrl K or /', 'Search, or go to a page'],
  ['?', 'This help'],
  ['Enter', 'Send a message; Shift Enter begins a new line'],
  ['Esc', 'Close what is open'],
];

const LINKS: [string, string][] = [
  ['API reference', '/docs'],
  ['OpenAPI document', '/openapi.json'],
];

const LINK = 'inline-flex items-center gap-1.5 text-accent underline underline-offset-2';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** The keys, the guide to the page that is open, and the documentation by its sections and by search. */
export const Help = ({ open, onClose }: Props): ReactNode => open && <OpenHelp onClose={onClose} />;

function OpenHelp({ onClose }: Pick<Props, 'onClose'>): ReactNode {
  const { pathname } = useLocation();
  const here = guideOf(pathname);
  const [typed, setTyped] = useState('');
  return (
    <Dialog open onClose={onClose} title="Help">
      <h3 className="mb-2 text-sm font-medium text-faint">Keys</h3>
      <dl className="grid gap-1.5">
        {KEYS.map(([keys, action]) => (
          <div key={keys} className="flex items-baseline gap-3">
            <dt className="w-28 shrink-0">
              <kbd className="rounded border border-line-strong bg-sunken px-1.5 py-0.5 font-sans text-xs">{keys}</kbd>
            </dt>
            <dd className="text-soft">{action}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-5 mb-2 text-sm font-medium text-faint">Documentation</h3>
      <SearchField label="Search the documentation" value={typed} onChange={setTyped} className="mb-3" />
      {typed.trim() === '' ? <Sections /> : <GuideResults typed={typed} most={8} />}
      {here && (
        <>
          <h3 className="mt-5 mb-2 text-sm font-medium text-faint">This page</h3>
          <Link to="/docs/$" params={{ _splat: here.guide }} className={LINK}>
            {here.name}
          </Link>
        </>
      )}
      <h3 className="mt-5 mb-2 text-sm font-medium text-faint">Reference</h3>
      <ul className="grid grid-cols-2 gap-1.5">
        {LINKS.map(([name, to]) => (
          <li key={to}>
            <a href={to} target="_blank" rel="noreferrer" className={LINK}>
              {name}
              <ExternalLink className="size-3.5" aria-hidden="true" />
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const INDEX = { _splat: '' };

/** Links to the sections of the index, which is fetched when help opens. */
function Sections(): ReactNode {
  const { data = [] } = useQuery({
    queryKey: ['guide-index'],
    staleTime: Infinity,
    queryFn: async () => (await import('virtual:guide-index')).default,
  });
  return (
    <ul className="grid grid-cols-2 gap-1.5">
      <li>
        <Link to="/docs/$" params={INDEX} className={LINK}>
          All pages
        </Link>
      </li>
      {data.map(({ name }) => (
        <li key={name}>
          <Link to="/docs/$" params={INDEX} hash={anchorOf(name)} className={LINK}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
