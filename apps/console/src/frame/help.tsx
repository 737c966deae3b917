import type { ReactNode } from 'react';
import { ExternalLink } from 'lucide-react';
import { Dialog } from '../ui/dialog';

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

export function Help({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title="Help">
      <h3 className="mb-2 text-sm font-medium text-faint">Keys</h3>
      <dl className="grid gap-1.5">
        {KEYS.map(([keys, deed]) => (
          <div key={keys} className="flex items-baseline gap-3">
            <dt className="w-28 shrink-0">
              <kbd className="rounded border border-line-strong bg-sunken px-1.5 py-0.5 font-sans text-xs">{keys}</kbd>
            </dt>
            <dd className="text-soft">{deed}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-5 mb-2 text-sm font-medium text-faint">Documentation</h3>
      <ul className="grid gap-1.5">
        {LINKS.map(([name, to]) => (
          <li key={to}>
            <a
              href={to}
              target="_blank"
              rel="noreferrer"
              className="inline-flex items-center gap-1.5 text-accent underline underline-offset-2"
            >
              {name}
              <ExternalLink className="size-3.5" aria-hidden="true" />
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
