import { useQuery } from '@tanstack/react-query';
import type { Agent } from '@switchyard/client';
import { useClient } from '../../session/session-context';

/** The agents of the Space, for forms that name one; the first hundred are enough to choose from. */
export function useAgentNames(): { agents: Agent[]; nameOf: (id: string) => string } {
  const client = useClient();
  const found = useQuery({ queryKey: ['agents', 'names'], queryFn: () => client.agents.list({ limit: 100 }) });
  const agents = found.data?.items ?? [];
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  return { agents, nameOf: (id) => names.get(id) ?? `agent ${id.slice(0, 8)}` };
}
