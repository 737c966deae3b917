import type { ReactNode } from 'react';
import { Link, useLocation } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { Dialog } from '../ui/dialog';
import { GUIDES, guideOf } from './guides';

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

/** The keys, the guide to the page that is open, and the others. */
export function Help({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const { pathname } = useLocation();
  const here = guideOf(pathname);
  return (
    <Dialog open={open} onClose={onClose} title="Help">
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
      {here && (
        <>
          <h3 className="mt-5 mb-2 text-sm font-medium text-faint">This page</h3>
          <GuideLink guide={here.guide} name={here.name} />
        </>
      )}
      <h3 className="mt-5 mb-2 text-sm font-medium text-faint">Guides</h3>
      <ul className="grid grid-cols-2 gap-1.5">
        {GUIDES.filter(({ guide }) => guide !== here?.guide).map(({ guide, name }) => (
          <li key={guide}>
            <GuideLink guide={guide} name={name} />
          </li>
        ))}
      </ul>
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

/** The dialog closes with the page that it was opened on. */
const GuideLink = ({ guide, name }: { guide: string; name: string }): ReactNode => (
  <Link to="/docs/$" params={{ _splat: guide }} className={LINK}>
    {name}
  </Link>
);
