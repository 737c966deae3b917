import { useCallback, useMemo } from 'react';
import { type QueryKey, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Page } from '@switchyard/client';

export interface List<T> {
  rows: T[];
  isLoading: boolean;
  /** The last reading failed; the rows of the one before are still there. */
  error: Error | null;
  /** There is a next page, and it may be asked for: not after it has failed. */
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Why the next page did not come: it is asked for again by a person alone. */
  moreError: Error | null;
  loadMore: () => void;
  retry: () => void;
}

/** Read, and without a row: what stands in its place holds the one button that makes the first. */
export const isBlank = ({ rows, isLoading, error }: List<unknown>): boolean =>
  rows.length === 0 && !isLoading && error === null;

interface Options {
  enabled?: boolean;
  refetchInterval?: number;
}

/** The rows of a list, page after page as they are scrolled to. Everything that `load` depends on belongs in the key. */
export function useList<T>(
  key: QueryKey,
  load: (cursor: string | undefined) => Promise<Page<T>>,
  options: Options = {},
): List<T> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    ...options,
  });
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return {
    rows,
    isLoading: query.isPending,
    error: query.isError && !isFetchNextPageError ? query.error : null,
    hasMore: hasNextPage && !isFetchNextPageError,
    isLoadingMore: isFetchingNextPage,
    moreError: isFetchNextPageError ? query.error : null,
    loadMore: useCallback(() => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    }, [hasNextPage, isFetchingNextPage, fetchNextPage]),
    retry: useCallback(() => void refetch(), [refetch]),
  };
}
