import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Agent } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { SelectField } from '../../ui/field';

export interface AgentChoiceState {
  agentId: string | null;
  choose: (agentId: string) => void;
  options: { value: string; label: string }[];
  agentOf: (agentId: string | null) => Pick<Agent, 'model' | 'fallbackModels'> | undefined;
  nameOf: (agentId: string | null) => string;
}

/** The agents that one may call: those of the Space first, then the built-in ones. */
export function useAgentChoice(given: string | null): AgentChoiceState {
  const client = useClient();
  const [chosen, choose] = useState<string | null>(null);
  const { data = [] } = useQuery({
    queryKey: ['agents', 'callable'],
    queryFn: async () => {
      const [own, system] = await Promise.all([
        client.agents.list({ accessibleOnly: true, limit: 100 }),
        client.agents.listSystem(),
      ]);
      const ids = new Set(own.items.map(({ id }) => id));
      return [...own.items, ...system.items.filter(({ id }) => !ids.has(id))];
    },
    staleTime: 30_000,
  });
  const agentId = given ?? chosen ?? data[0]?.id ?? null;
  return {
    agentId,
    choose,
    options: data.map(({ id, name }) => ({ value: id, label: name })),
    agentOf: (id) => data.find((agent) => agent.id === id),
    nameOf: (id) => data.find((agent) => agent.id === id)?.name ?? '',
  };
}

export const AgentChoice = ({ choice }: { choice: AgentChoiceState }): ReactNode => (
  <SelectField
    label="Agent"
    className="mb-3 max-w-72"
    value={choice.agentId ?? ''}
    onChange={choice.choose}
    options={choice.options}
  />
);
