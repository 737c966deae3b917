import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Execution, Page } from '@switchyard/client';
import { useClient } from '../../session/session-context';

const MOST = 10;

/** The last ten executions of a task, newest first; none of a task that is not saved yet. */
export function useLastRuns(taskId: string | undefined): UseQueryResult<Page<Execution>> {
  const client = useClient();
  return useQuery({
    queryKey: ['executions', 'last of', taskId],
    queryFn: () => client.tasks.executions(taskId ?? '', { limit: MOST }),
    enabled: taskId !== undefined,
    staleTime: 30_000,
  });
}
