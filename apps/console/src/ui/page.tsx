import { type ReactNode, useEffect } from 'react';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';

export interface Crumb {
  label: string;
  to: string;
}

interface Props {
  title: string;
  /** Where the page lies: its list, for a record. */
  crumbs?: readonly Crumb[];
  /** Beside the title: a state, a number. */
  aside?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The page scrolls its own parts. */
  isFixed?: boolean;
}

export function Page({ title, crumbs = [], aside, description, actions, children, isFixed = false }: Props): ReactNode {
  useEffect(() => {
    document.title = `${title} · Switchyard`;
  }, [title]);
  return (
    <div className={isFixed ? 'flex h-full min-h-0 flex-col' : 'pb-12'}>
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 pt-4 pb-3 sm:px-6 sm:pt-5">
        <div className="min-w-0 flex-1 basis-60">
          {crumbs.length > 0 && (
            <nav aria-label="Breadcrumbs" className="mb-0.5 flex flex-wrap items-center gap-1 text-sm text-faint">
              {crumbs.map((crumb) => (
                <span key={crumb.to} className="flex min-w-0 items-center gap-1">
                  <Link to={crumb.to} className="rounded wrap-anywhere hover:text-ink hover:underline" dir="auto">
                    {crumb.label}
                  </Link>
                  <ChevronRight className="size-3.5 shrink-0" aria-hidden="true" />
                </span>
              ))}
            </nav>
          )}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 text-xl font-semibold wrap-anywhere" dir="auto">
              {title}
            </h1>
            {aside}
          </div>
          {description !== undefined && <div className="mt-0.5 max-w-3xl text-soft wrap-anywhere">{description}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      <div className={isFixed ? 'min-h-0 flex-1' : 'px-4 sm:px-6'}>{children}</div>
    </div>
  );
}

export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="card mb-4" aria-label={title}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        <h2 className="flex-1 font-semibold">{title}</h2>
        {actions}
      </div>
      <div className="p-4">{children}</div>
    </section>
  );
}
