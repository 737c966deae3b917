import { useMemo } from 'react';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import type { InboxInteraction } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import type { Call, ToolFacts } from './decision';

const MINUTE_MS = 60_000;
const OLD = { staleTime: MINUTE_MS, retry: false } as const;

const textIn = (value: unknown, name: string): string | undefined => {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
};

const idsIn = (calls: readonly Call[], name: string): string[] => [
  ...new Set(calls.filter(({ source }) => source === 'builtin').flatMap((call) => textIn(call.arguments, name) ?? [])),
];

const namesOf = (results: UseQueryResult<{ id: string; name: string }>[]): [string, string][] =>
  results.flatMap(({ data }) => (data ? [[data.id, data.name] as [string, string]] : []));

/** Titles and declared inputs of the tools that an approval is about, and names of the records that they are given. */
export function useToolFacts({ agentId, calls = [] }: InboxInteraction, isSeen: boolean): (call: Call) => ToolFacts {
  const client = useClient();
  const has = (source: Call['source']): boolean => calls.some((call) => call.source === source);
  const { data: agent } = useQuery({
    queryKey: ['agent', agentId],
    queryFn: () => client.agents.get(agentId),
    enabled: isSeen && has('local'),
    ...OLD,
  });
  const { data: mcp } = useQuery({
    queryKey: ['agent', agentId, 'mcp-tools', 'titles'],
    queryFn: () => client.agents.mcpTools(agentId),
    enabled: isSeen && has('mcp'),
    ...OLD,
  });
  const tasks = useQueries({
    queries: idsIn(calls, 'taskId').map((id) => ({
      queryKey: ['task', id],
      queryFn: () => client.tasks.get(id),
      enabled: isSeen,
      ...OLD,
    })),
    combine: namesOf,
  });
  const datasets = useQueries({
    queries: idsIn(calls, 'datasetId').map((id) => ({
      queryKey: ['dataset', id],
      queryFn: () => client.datasets.get(id),
      enabled: isSeen,
      ...OLD,
    })),
    combine: namesOf,
  });
  return useMemo(() => {
    const names = new Map([...tasks, ...datasets]);
    return ({ name, source }) => {
      if (source === 'local') return { schema: agent?.localTools.find((tool) => tool.name === name)?.parameters };
      if (source === 'builtin') return { names };
      const tool = mcp?.data.find((one) => `${one.server}__${one.name}` === name);
      return { title: textIn(tool?.annotations, 'title'), schema: tool?.inputSchema };
    };
  }, [agent, mcp, tasks, datasets]);
}
