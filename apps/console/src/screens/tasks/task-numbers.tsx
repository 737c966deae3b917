import { type ReactNode, useState } from 'react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { TaskUsage } from '@switchyard/client';
import { useRowRefresh } from '../../api/use-row-refresh';
import { useClient } from '../../session/session-context';
import { FailureCount, Figure } from '../../ui/figure';
import { cost, number } from '../../ui/format';
import { Time } from '../../ui/time';
import { LAST_RUNS } from './use-last-runs';

export const DAYS = 30;
const DAY_MS = 86_400_000;
const STALE_MS = 60_000;
const NUMBERS = ['tasks', 'numbers'];
const ROWS = [NUMBERS, LAST_RUNS];

const dayStart = (): string => new Date(Math.floor(Date.now() / DAY_MS - DAYS + 1) * DAY_MS).toISOString();

interface Props {
  taskId: string;
}

/** Refreshes the last runs and the numbers of all rows as their tasks run. */
export const useLiveNumbers = (): void => useRowRefresh(ROWS, ({ taskId }) => taskId);

/** One call for all cells of a row. */
function useTaskUsage(taskId: string): UseQueryResult<TaskUsage> {
  const client = useClient();
  const [from] = useState(dayStart);
  return useQuery({
    queryKey: [...NUMBERS, taskId, from],
    queryFn: () => client.tasks.usage(taskId, { from }),
    staleTime: STALE_MS,
  });
}

export const Runs = ({ taskId }: Props): ReactNode => (
  <Figure of={useTaskUsage(taskId)}>{({ runs, atLeast }) => `${number(runs)}${atLeast ? '+' : ''}`}</Figure>
);

export const Failures = ({ taskId }: Props): ReactNode => (
  <Figure of={useTaskUsage(taskId)}>{({ failed, runs }) => <FailureCount failed={failed} count={runs} />}</Figure>
);

export const Cost = ({ taskId }: Props): ReactNode => (
  <Figure of={useTaskUsage(taskId)}>
    {(usage) =>
      usage.costOf < usage.runs ? (
        <span title={`Of the newest ${number(usage.costOf)} runs`}>{cost(usage.cost)}+</span>
      ) : (
        cost(usage.cost)
      )
    }
  </Figure>
);

export const LastRun = ({ taskId }: Props): ReactNode => (
  <Figure of={useTaskUsage(taskId)}>
    {({ lastRunAt }) => (lastRunAt === null ? <span className="text-faint">–</span> : <Time at={lastRunAt} />)}
  </Figure>
);
