import { useQuery } from '@tanstack/react-query';
import type { AgentSummary } from '@switchyard/client';
import { collectAll } from '../../api/collect-all';
import { useClient } from '../../session/session-context';
import { shortId } from '../../ui/format';

interface AgentNames {
  agents: AgentSummary[];
  nameOf: (id: string) => string;
  /** Empty for an agent that is not read yet, or not found. */
  readName: (id: string) => string;
}

/** All agents that a job may call, the built-in ones too. */
export function useAgentNames(): AgentNames {
  const client = useClient();
  const found = useQuery({
    queryKey: ['agents', 'names'],
    queryFn: async () => {
      const [own, system] = await Promise.all([collectAll(client.agents.all()), client.agents.listSystem()]);
      const ids = new Set(own.map(({ id }) => id));
      return [...own, ...system.items.filter(({ id }) => !ids.has(id))];
    },
    staleTime: 30_000,
  });
  const agents = found.data ?? [];
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  return {
    agents,
    nameOf: (id) => names.get(id) ?? `agent ${shortId(id)}`,
    readName: (id) => names.get(id) ?? '',
  };
}
