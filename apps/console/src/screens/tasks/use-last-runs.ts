import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Execution } from '@switchyard/client';
import { useClient } from '../../session/session-context';

/** The key of last runs; behind it is the task's id. */
export const LAST_RUNS = ['executions', 'last of'];

const MOST = 10;
/** Among them may be steps that were tried alone. */
const READ = 30;

/** The last ten runs of the whole task, newest first; none of a task that is not saved yet. */
export function useLastRuns(taskId: string | undefined): UseQueryResult<readonly Execution[]> {
  const client = useClient();
  return useQuery({
    queryKey: [...LAST_RUNS, taskId],
    queryFn: async () => {
      const { items } = await client.tasks.executions(taskId ?? '', { limit: READ });
      return items.filter(({ triedStep }) => triedStep === null).slice(0, MOST);
    },
    enabled: taskId !== undefined,
    staleTime: 30_000,
  });
}
