import { Fragment, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useSession } from '../session/session-context';
import { pagesFor } from './pages';
import { useInboxCount } from './use-inbox-count';

export function Navigation({ onLeave }: { onLeave?: () => void }): ReactNode {
  const session = useSession();
  const waiting = useInboxCount();
  return (
    <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto px-3 py-2">
      {pagesFor(session).map((group, index) => (
        <Fragment key={group[0]?.name}>
          {index > 0 && <hr className="mx-2 my-2 border-line" />}
          <ul className="grid gap-px">
            {group.map(({ name, to, icon: Icon }) => {
              const count = name === 'Inbox' && waiting > 0 ? waiting : null;
              return (
                <li key={name}>
                  <Link
                    to={to}
                    {...(onLeave ? { onClick: onLeave } : {})}
                    activeOptions={{ includeSearch: false }}
                    className="flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-soft outline-offset-[-2px] hover:bg-sunken hover:text-ink"
                    activeProps={{ className: 'bg-accent-soft! text-accent! font-medium' }}
                  >
                    <Icon className="size-4 shrink-0" aria-hidden="true" />
                    <span className="flex-1">
                      {name}
                      {/* A part of the name of the link that is not seen twice. */}
                      {count !== null && <span className="text-[0px] leading-[0]">, {count}</span>}
                    </span>
                    {count !== null && (
                      <span
                        aria-hidden="true"
                        className="rounded-full bg-accent px-1.5 text-xs leading-5 font-semibold text-on-accent"
                      >
                        {count > 99 ? '99+' : count}
                      </span>
                    )}
                  </Link>
                </li>
              );
            })}
          </ul>
        </Fragment>
      ))}
    </nav>
  );
}
