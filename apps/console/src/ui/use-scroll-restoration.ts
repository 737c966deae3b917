import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useRouter } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import type { List } from '../api/use-list';
import { useStable } from '../api/use-stable';
import { type ScrollPosition, saveScroll, savedScroll, scrollIn, putBack, storePlaces } from './scroll-position';

/** Pages that come before a row is given up that is not there any more, in rows. */
const BEYOND = 50;

interface Location {
  href: string;
  searchStr: string;
  state: { __TSR_key?: string | undefined };
}
const entryOf = ({ state, href }: Location): string => state.__TSR_key ?? href;

/**
 * Back, forward and reload restore the row at its position, also with new rows above it; rows that arrive while the
 * list is read do not move it.
 */
export function useScrollRestoration<T>(
  box: RefObject<HTMLDivElement | null>,
  virtual: Virtualizer<HTMLDivElement, Element>,
  { rows, hasMore, isLoadingMore, loadMore }: List<T>,
  keyOf: (row: T) => string,
): void {
  const router = useRouter();
  const entry = useRef(entryOf(router.state.location));
  const requested = useRef<ScrollPosition | 'not yet' | null>('not yet');
  const taken = useRef<ScrollPosition | null>(null);
  const startOf = (index: number): number => virtual.measurementsCache[index]?.start ?? 0;
  const indexOf = (key: string): number => rows.findIndex((row) => keyOf(row) === key);
  const keyAt = (index: number): string | undefined => {
    const row = rows[index];
    return row === undefined ? undefined : keyOf(row);
  };
  const actions = useStable({
    leave: (from: Location): void => {
      taken.current = box.current && scrollIn(box.current, keyAt);
      if (box.current && taken.current) saveScroll(entryOf(from), box.current, taken.current);
    },
    reload: (): void => {
      if (box.current === null) return;
      // At the top one reloads to see what is new.
      const stored = box.current.scrollTop > 0 ? scrollIn(box.current, keyAt) : null;
      saveScroll(entry.current, box.current, stored);
      storePlaces();
    },
    arrive: (to: Location, isSame: boolean): void => {
      entry.current = entryOf(to);
      const here = isSame ? taken.current : null;
      requested.current = here !== null && indexOf(here.key) !== -1 ? here : 'not yet';
      actions.find();
    },
    find: (): void => {
      if (box.current === null || rows.length === 0) return;
      if (requested.current === 'not yet') requested.current = savedScroll(entry.current, box.current);
      const stored = requested.current;
      if (stored === null) return;
      const isFound = indexOf(stored.key) !== -1;
      if (!isFound && hasMore && rows.length <= stored.index + BEYOND) {
        if (!isLoadingMore) loadMore();
        return;
      }
      requested.current = null;
      if (isFound) putBack(box.current, stored, () => actions.now(stored.key));
    },
    now: (key: string): { index: number; start: number } | null => {
      const index = indexOf(key);
      return index === -1 ? null : { index, start: startOf(index) };
    },
  });
  useEffect(() => actions.find(), [actions, rows, hasMore, isLoadingMore]);
  useEffect(() => {
    const stops = [
      router.subscribe('onBeforeLoad', ({ fromLocation }) => {
        if (fromLocation) actions.leave(fromLocation);
      }),
      // The router goes to the pixels of before: this comes after it.
      router.subscribe('onRendered', ({ fromLocation, toLocation }) =>
        actions.arrive(toLocation, fromLocation?.searchStr === toLocation.searchStr),
      ),
    ];
    window.addEventListener('pagehide', actions.reload);
    return () => {
      for (const stop of stops) stop();
      window.removeEventListener('pagehide', actions.reload);
    };
  }, [router, actions]);

  const leased = useRef<{ key: string; start: number } | null>(null);
  useLayoutEffect(() => {
    const before = leased.current;
    if (box.current === null || before === null || box.current.scrollTop === 0) return;
    const index = indexOf(before.key);
    if (index !== -1) box.current.scrollTop += startOf(index) - before.start;
    // Only where the rows are others.
  }, [rows]);
  useLayoutEffect(() => {
    const first = virtual.getVirtualItemForOffset(box.current?.scrollTop ?? 0);
    const key = first && keyAt(first.index);
    leased.current = key === undefined ? null : { key, start: first?.start ?? 0 };
  });
}
