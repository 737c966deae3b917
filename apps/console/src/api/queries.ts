import { QueryClient } from '@tanstack/react-query';
import { ConnectionError } from '@switchyard/client';

/**
 * What has been read, of one person in one Space: each has a client of its own, so that no key can forget to name the
 * Space. The API's client tries again where that helps: here it would only hide what happened.
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
