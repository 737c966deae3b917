import type { ReactNode } from 'react';
import { NotFound } from '../frame/not-found';
import { isNotFound } from './errors';
import { RetryNote } from './note';
import { type Crumb, Page } from './page';
import { ErrorState, Loading } from './states';

interface Props<T> {
  /** The query that reads it. */
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  /** Kind of record: "agent". */
  noun: string;
  /** The heading until its name is known; the noun unless given. */
  title?: string;
  crumbs?: readonly Crumb[];
  children: (record: T) => ReactNode;
}

/**
 * The page of one record: loading, missing, refused, or there. A reading that fails while the record is there says so
 * above the page and leaves the page alone: what was written into it stays.
 */
export function RecordOf<T>({ query, noun, title, crumbs = [], children }: Props<T>): ReactNode {
  const { data, error } = query;
  const retry = (): void => void query.refetch();
  // Unsaved input stays even if the record is deleted by someone else.
  if (data === undefined && isNotFound(error)) return <NotFound />;
  const heading = title ?? noun.charAt(0).toUpperCase() + noun.slice(1);
  if (data === undefined)
    return (
      <Page title={heading} crumbs={crumbs}>
        {error ? <ErrorState error={error} onRetry={retry} /> : <Loading label={`Loading the ${noun}`} lines={8} />}
      </Page>
    );
  return (
    <>
      {error && (
        <div className="px-4 pt-3 sm:px-6">
          <RetryNote tone="warn" action="Refresh" error={error} onRetry={retry} />
        </div>
      )}
      {children(data)}
    </>
  );
}
