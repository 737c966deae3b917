import { useEffect, useRef } from 'react';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { Activity } from '@switchyard/client';
import { useActivity } from './activity-context';

const PAUSE_MS = 1_500;

/**
 * Reads anew what lies under the key when a record changes that matches, and when changes may have been missed. A
 * reading under way is never cut off: on a busy Space no list would ever arrive. `pauseMs` is the time between two
 * readings, however much happens; it is longer where one reading takes long. Once for a page: rows that have queries of
 * their own share `useRowRefresh`.
 */
export function useRefresh(
  key: QueryKey,
  matches: (row: Activity) => boolean = () => true,
  pauseMs: number = PAUSE_MS,
): void {
  const queries = useQueryClient();
  const latest = useRef(key);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const notBefore = useRef(0);
  useEffect(() => {
    latest.current = key;
  });
  const read = async (): Promise<void> => {
    timer.current = undefined;
    const queryKey = latest.current;
    if (queries.isFetching({ queryKey }) > 0) {
      timer.current = setTimeout(() => void read(), PAUSE_MS);
      return;
    }
    const start = Date.now();
    notBefore.current = start + pauseMs;
    await queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
    const end = Date.now();
    notBefore.current = end + Math.max(pauseMs - (end - start), end - start);
  };
  useActivity((row) => {
    if (timer.current !== undefined || (row !== null && !matches(row))) return;
    timer.current = setTimeout(() => void read(), Math.max(0, notBefore.current - Date.now()));
  });
  useEffect(() => {
    // Refetch on return: changes were not observed while the page was closed.
    void queries.invalidateQueries({ queryKey: latest.current }, { cancelRefetch: false });
    return () => clearTimeout(timer.current);
  }, [queries]);
}
