import { type ReactNode, useState } from 'react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AgentLatency, UsageRow } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { FailureCount, Figure } from '../../ui/figure';
import { cost, number } from '../../ui/format';

export const DAYS = 30;
const DAY_MS = 86_400_000;
const STALE_MS = 60_000;
const relativeDays = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const dayStart = (): string => new Date(Math.floor(Date.now() / DAY_MS - DAYS + 1) * DAY_MS).toISOString();

interface Props {
  agentId: string;
}

/** Turns of an agent that ended. One call for all cells of its row. */
function useTurns(agentId: string): UseQueryResult<AgentLatency> {
  const client = useClient();
  const [from] = useState(dayStart);
  return useQuery({
    queryKey: ['agents', 'numbers', agentId, from],
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

export const LastUsed = ({ agentId }: Props): ReactNode => (
  <Figure of={useTurns(agentId)}>
    {({ overTime }) => {
      const last = overTime.at(-1);
      if (last === undefined) return <span className="text-faint">–</span>;
      const days = Math.floor(Date.now() / DAY_MS) - Math.floor(Date.parse(last.at) / DAY_MS);
      return relativeDays.format(-days, 'day');
    }}
  </Figure>
);

/** One call for all agents. */
export function Cost({ agentId }: Props): ReactNode {
  const client = useClient();
  const [from] = useState(dayStart);
  const usage: UseQueryResult<UsageRow[]> = useQuery({
    queryKey: ['usage', 'of agents', from],
    queryFn: () => client.usage.read({ groupBy: 'agent', from }),
    staleTime: STALE_MS,
  });
  return <Figure of={usage}>{(rows) => cost(rows.find(({ agent }) => agent === agentId)?.cost ?? 0)}</Figure>;
}
