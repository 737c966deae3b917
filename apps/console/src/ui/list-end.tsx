import type { ReactNode } from 'react';
import type { List } from '../api/use-list';
import { RetryNote } from './note';
import { Loading } from './states';

interface Props {
  list: Pick<List<unknown>, 'isLoadingMore' | 'moreError' | 'loadMore'>;
}

/** Below the rows: that more come, or why they did not. */
export function ListEnd({ list }: Props): ReactNode {
  if (list.isLoadingMore) return <Loading label="Loading more" lines={2} />;
  if (list.moreError === null) return null;
  return <RetryNote tone="bad" action="Load more" error={list.moreError} onRetry={list.loadMore} className="m-3" />;
}

/** Above rows that could not be read again: they may be old. */
export const ListStale = ({ list }: { list: Pick<List<unknown>, 'error' | 'retry'> }): ReactNode =>
  list.error && <RetryNote tone="warn" action="Refresh" error={list.error} onRetry={list.retry} className="mb-3" />;

/** The height of the rows of a table that are not in the page. */
export const Gap = ({ height }: { height: number }): ReactNode =>
  height > 0 && <tr aria-hidden="true" className="stacked:block" style={{ height }} />;
