import { useMemo } from 'react';
import { type QueryKey, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Page } from '@switchyard/client';

export interface List<T> {
  rows: T[];
  isLoading: boolean;
  error: Error | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  retry: () => void;
}

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
  const { data } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return {
    rows,
    isLoading: query.isPending,
    error: query.isError ? query.error : null,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
    retry: () => void query.refetch(),
  };
}
