import type { ReactNode } from 'react';
import { Link, useLocation } from '@tanstack/react-router';
import { NotFound } from '../../frame/not-found';
import { useSession } from '../../session/session-context';
import { classes } from '../../ui/class-names';
import { Page } from '../../ui/page';

const TABS = [
  { label: 'Spaces', to: '/operator' },
  { label: 'People', to: '/operator/people' },
  { label: 'Load', to: '/operator/load' },
  { label: 'Failed work', to: '/operator/failed-work' },
  { label: 'Keys', to: '/operator/keys' },
  { label: 'Security events', to: '/operator/events' },
];

interface Props {
  description: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The parts of the Operator area. For other people it is a page that does not exist, as its routes are. */
export function OperatorFrame({ description, actions, children }: Props): ReactNode {
  const { user } = useSession();
  const { pathname } = useLocation();
  if (user.operator !== true) return <NotFound />;
  return (
    <Page title="Operator" description={description} actions={actions}>
      <nav aria-label="Parts of the platform" className="mb-3 flex flex-wrap gap-1 border-b border-line max-sm:gap-0">
        {TABS.map(({ label, to }) => (
          <Link
            key={to}
            to={to}
            aria-current={pathname === to ? 'page' : undefined}
            className={classes(
              '-mb-px border-b-2 px-3 py-2 max-sm:px-2',
              pathname === to ? 'border-accent font-medium' : 'border-transparent text-soft hover:text-ink',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}
