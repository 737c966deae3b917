import { type ReactNode, useState } from 'react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Activity, AgentLatency, UsageRow } from '@switchyard/client';
import { hasEnded } from '../../api/status';
import { useRefresh } from '../../api/use-refresh';
import { useRowRefresh } from '../../api/use-row-refresh';
import { useClient } from '../../session/session-context';
import { FailureCount, Figure } from '../../ui/figure';
import { cost, number } from '../../ui/format';
import { Time } from '../../ui/time';

export const DAYS = 30;
const DAY_MS = 86_400_000;
const STALE_MS = 60_000;
const COSTS_PAUSE_MS = 30_000;
const NUMBERS = ['agents', 'numbers'];
const ROWS = [NUMBERS];
const COSTS = ['usage', 'of agents'];
const relativeDays = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const dayOf = (at: string): number => Math.floor(Date.parse(at) / DAY_MS);
const dayStart = (): string => new Date(Math.floor(Date.now() / DAY_MS - DAYS + 1) * DAY_MS).toISOString();

interface Props {
  agentId: string;
}

const isEndedTurn = ({ kind, status }: Activity): boolean => kind === 'turn' && hasEnded(status);

/** Refreshes the numbers of all rows as turns end. */
export function useLiveNumbers(): void {
  useRowRefresh(ROWS, (row) => (isEndedTurn(row) ? row.agentId : null));
  useRefresh(COSTS, isEndedTurn, COSTS_PAUSE_MS);
}

/** Turns of an agent that ended. One call for all cells of its row. */
function useTurns(agentId: string): UseQueryResult<AgentLatency> {
  const client = useClient();
  const [from] = useState(dayStart);
  return useQuery({
    queryKey: [...NUMBERS, agentId, from],
    queryFn: () => client.agents.latency(agentId, { interval: 'day', from }),
    staleTime: STALE_MS,
  });
}

export const Runs = ({ agentId }: Props): ReactNode => (
  <Figure of={useTurns(agentId)}>{({ total }) => number(total.count)}</Figure>
);

export const Failures = ({ agentId }: Props): ReactNode => (
  <Figure of={useTurns(agentId)}>
    {({ total: { failed, count } }) => <FailureCount failed={failed} count={count} />}
  </Figure>
);

/** `at`, the start of its newest turn, is known of what was used lately; of the rest the day is. */
export const LastUsed = ({ agentId, at }: Props & { at: string | undefined }): ReactNode => (
  <Figure of={useTurns(agentId)}>
    {({ overTime }) => {
      const last = overTime.at(-1)?.at;
      // Turns of others, which only an ADMIN sees one by one, count in the numbers.
      if (at !== undefined && (last === undefined || dayOf(at) >= dayOf(last))) return <Time at={at} />;
      if (last === undefined) return <span className="text-faint">–</span>;
      return relativeDays.format(dayOf(last) - Math.floor(Date.now() / DAY_MS), 'day');
    }}
  </Figure>
);

/** One call for all agents. */
export function Cost({ agentId }: Props): ReactNode {
  const client = useClient();
  const [from] = useState(dayStart);
  const usage: UseQueryResult<UsageRow[]> = useQuery({
    queryKey: [...COSTS, from],
    queryFn: () => client.usage.read({ groupBy: 'agent', from }),
    staleTime: STALE_MS,
  });
  return <Figure of={usage}>{(rows) => cost(rows.find(({ agent }) => agent === agentId)?.cost ?? 0)}</Figure>;
}
