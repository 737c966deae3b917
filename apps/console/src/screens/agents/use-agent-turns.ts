import { useQuery } from '@tanstack/react-query';
import { statusesOf } from '../../api/status';
import { useRefresh } from '../../api/use-refresh';
import { useClient } from '../../session/session-context';

/** As many as one page holds. Beyond it, the number is a minimum, and the last use is only a day. */
const MOST = 100;

/** Most changes of a busy Space are turns, and each reading takes two requests. */
const PAUSE_MS = 5_000;

export interface AgentTurns {
  /** Turns of each agent that wait for a person. */
  waiting: ReadonlyMap<string, number>;
  /** When the newest turn of each agent was started. */
  lastUsedAt: ReadonlyMap<string, string>;
}

/** Turns that wait, and the newest turns of all agents: two requests for all rows. */
export function useAgentTurns(): AgentTurns | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['agents', 'turns'],
    queryFn: async (): Promise<AgentTurns> => {
      const [pending, newest] = await Promise.all([
        client.activity.list({ kind: 'turn', status: statusesOf('waiting'), limit: MOST }),
        client.activity.list({ kind: 'turn', limit: MOST }),
      ]);
      const waiting = new Map<string, number>();
      for (const { agentId } of pending.items)
        if (agentId !== null) waiting.set(agentId, (waiting.get(agentId) ?? 0) + 1);
      const lastUsedAt = new Map<string, string>();
      for (const { agentId, createdAt } of newest.items)
        if (agentId !== null && !lastUsedAt.has(agentId)) lastUsedAt.set(agentId, createdAt);
      return { waiting, lastUsedAt };
    },
  });
  useRefresh(['agents', 'turns'], ({ kind }) => kind === 'turn', PAUSE_MS);
  return data;
}
