import type { ReactNode } from 'react';
import type { List } from '../api/use-list';
import { Button } from './button';
import { messageOf } from './errors';
import { Note } from './note';
import { Loading } from './states';

interface Props {
  list: Pick<List<unknown>, 'isLoadingMore' | 'moreError' | 'loadMore'>;
}

/** Below the rows: that more come, or why they did not. */
export function ListEnd({ list }: Props): ReactNode {
  if (list.isLoadingMore) return <Loading label="Loading more" lines={2} />;
  if (list.moreError === null) return null;
  return (
    <Note
      tone="bad"
      className="m-3"
      action={
        <Button size="small" onClick={list.loadMore}>
          Try again
        </Button>
      }
    >
      Could not load more: {messageOf(list.moreError)}
    </Note>
  );
}

/** Above rows that could not be read again: they may be old. */
export const ListStale = ({ list }: { list: Pick<List<unknown>, 'error' | 'retry'> }): ReactNode =>
  list.error && (
    <Note
      tone="warn"
      className="mb-3"
      action={
        <Button size="small" onClick={list.retry}>
          Try again
        </Button>
      }
    >
      Could not refresh: {messageOf(list.error)}
    </Note>
  );

/** The height of the rows of a table that are not in the page. */
export const Gap = ({ height }: { height: number }): ReactNode =>
  height > 0 && <tr aria-hidden="true" className="max-sm:block" style={{ height }} />;
