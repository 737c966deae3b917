import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ConnectionError, SwitchyardError } from '@switchyard/client';
import { auth } from '../session/console-auth';

const whenExpired = (error: unknown): void => {
  if (error instanceof SwitchyardError && error.status === 401) auth.expire();
};

/** The client tries again where that helps: here it would only hide what happened. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: whenExpired }),
  mutationCache: new MutationCache({ onError: whenExpired }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => error instanceof ConnectionError && failures < 2,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});
