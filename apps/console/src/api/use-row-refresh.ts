import { useEffect, useMemo } from 'react';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { Activity } from '@switchyard/client';
import { useActivity } from './activity-context';
import { RowRefresh } from './row-refresh';

/**
 * For a page whose rows have queries of their own; see `RowRefresh`. `lists` is a constant, and `idOf` names the row
 * that a change is about.
 */
export function useRowRefresh(lists: readonly QueryKey[], idOf: (row: Activity) => string | null): void {
  const queries = useQueryClient();
  const refresh = useMemo(() => new RowRefresh(queries, lists), [queries, lists]);
  useActivity((row) => {
    if (row === null) {
      refresh.missed();
      return;
    }
    const id = idOf(row);
    if (id !== null) refresh.changed(id);
  });
  useEffect(() => () => refresh.stop(), [refresh]);
}
