import { QueryClient } from '@tanstack/react-query';
import { ConnectionError } from '@switchyard/client';

/**
 * Query cache of one user in one Space. Each Space has its own client, so query keys need no Space id. No retries here:
 * the API client retries where that helps.
 */
export const newQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => error instanceof ConnectionError && failures < 2,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        // Without a network a reading or a save fails and says so: it does not wait in silence for better times.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
