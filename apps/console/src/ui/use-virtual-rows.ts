import { type RefObject, useEffect, useRef } from 'react';
import {
  type Range,
  type VirtualItem,
  type Virtualizer,
  defaultRangeExtractor,
  useVirtualizer,
} from '@tanstack/react-virtual';
import type { List } from '../api/use-list';
import { useScrollRestoration } from './use-scroll-restoration';

interface Options<T> {
  rowHeight: number;
  keyOf: (row: T) => string;
  /** Rows left below the last one in view when the next page is asked for. */
  ahead?: number;
  /** A row that stays in the page out of view too: the one that is edited. */
  kept?: number | null;
}

interface Shown {
  index: number;
  key: VirtualItem['key'];
  /** The height of the rows before it that are not in the page. */
  gap: number;
}

interface VirtualRows {
  /** Of the box that scrolls. */
  container: RefObject<HTMLDivElement | null>;
  virtual: Virtualizer<HTMLDivElement, Element>;
  items: Shown[];
  /** The height of the rows below the last of them. */
  below: number;
}

/** Rows without end: only those in view are in the page, and the next ones are asked for before they are needed. */
export function useVirtualRows<T>(
  list: List<T>,
  { rowHeight, keyOf, ahead: upcoming = 12, kept: stored = null }: Options<T>,
): VirtualRows {
  const container = useRef<HTMLDivElement>(null);
  const { rows, hasMore, isLoadingMore, loadMore } = list;
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => container.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (stored === null || indexes.includes(stored)) return indexes;
      return [...indexes, stored].toSorted((a, b) => a - b);
    },
  });
  const items = virtual.getVirtualItems();
  useScrollRestoration(container, virtual, list, keyOf);
  const last = virtual.range?.endIndex ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= rows.length - upcoming) loadMore();
  }, [hasMore, isLoadingMore, last, rows.length, upcoming, loadMore]);
  return {
    container,
    virtual,
    items: items.map(({ index, key, start }, at) => ({ index, key, gap: start - (items[at - 1]?.end ?? 0) })),
    below: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
  };
}
