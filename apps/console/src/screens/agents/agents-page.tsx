import type { ReactNode } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { AgentSummary } from '@switchyard/client';
import { Bot, Plus } from 'lucide-react';
import { useFilters } from '../../api/use-filters';
import { isBlank, useList } from '../../api/use-list';
import { useClient, useMay } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';
import { SearchField } from '../../ui/search-field';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { Cost, DAYS, Failures, LastUsed, Runs, useLiveNumbers } from './agent-numbers';
import { agentsSearch } from './search-params';
import { type AgentTurns, useAgentTurns } from './use-agent-turns';

/** Leads to all turns that wait: the activity has no filter by agent. */
const Waiting = ({ count }: { count: number }): ReactNode =>
  count > 0 && (
    <Link
      to="/activity"
      search={{ kind: 'turn', status: 'waiting' }}
      title="Open the waiting turns of all agents"
      className="inline-flex min-h-6 items-center hover:underline"
    >
      <Badge tone="warn">{count === 1 ? '1 waits for a person' : `${count} wait for a person`}</Badge>
    </Link>
  );

const columns = (turns: AgentTurns | undefined): Column<AgentSummary>[] => [
  {
    name: 'Name',
    cell: ({ id, name, description, system }) => (
      <span className="grid min-w-0">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          <Link to={`/agents/${id}`} className="truncate font-medium hover:underline" dir="auto">
            {name}
          </Link>
          {system && <Badge>built in</Badge>}
          <Waiting count={turns?.waiting.get(id) ?? 0} />
        </span>
        {description !== null && description !== '' && (
          <span className="truncate text-sm text-faint" dir="auto">
            {description}
          </span>
        )}
      </span>
    ),
  },
  { name: 'Model', width: '11rem', cell: ({ model }) => <span className="font-mono text-xs text-soft">{model}</span> },
  { name: 'Runs', width: '6rem', align: 'right', cell: ({ id }) => <Runs agentId={id} /> },
  { name: 'Failed', width: '7rem', align: 'right', cell: ({ id }) => <Failures agentId={id} /> },
  { name: 'Cost', width: '7rem', align: 'right', cell: ({ id }) => <Cost agentId={id} /> },
  {
    name: 'Last used',
    width: '7rem',
    align: 'right',
    cell: ({ id }) => <LastUsed agentId={id} at={turns?.lastUsedAt.get(id)} />,
  },
  { name: 'Changed', width: '7rem', align: 'right', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

export function AgentsPage(): ReactNode {
  const client = useClient();
  const navigate = useNavigate();
  const mayWrite = useMay('MEMBER');
  const [{ q }, change] = useFilters(agentsSearch);
  const words = q ?? '';
  const list = useList(['agents', 'list', words], (cursor) =>
    client.agents.list({ limit: 50, cursor, ...(words === '' ? {} : { q: words }) }),
  );
  const turns = useAgentTurns();
  useLiveNumbers();
  const isFirst = words === '' && isBlank(list);
  const add = mayWrite ? (
    <Button
      look="primary"
      icon={<Plus className="size-4" aria-hidden="true" />}
      onClick={() => void navigate({ to: '/agents/new' })}
    >
      Create agent
    </Button>
  ) : undefined;
  return (
    <Page
      title="Agents"
      description={`Models with a prompt, tools and knowledge. Numbers are of the last ${DAYS} days.`}
      actions={isFirst ? undefined : add}
    >
      <SearchField
        label="Search agents"
        value={words}
        onChange={(value) => change({ q: value })}
        className="mb-3 max-w-72"
      />
      <Table
        name="Agents"
        list={list}
        columns={columns(turns)}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title={words === '' ? 'No agents yet' : 'No agents match'}
            icon={<Bot className="size-5" aria-hidden="true" />}
            action={isFirst && add}
          >
            {words === ''
              ? 'An agent is a model with a prompt, tools and knowledge: it answers in chats, jobs, tasks and to programs.'
              : 'Try another word.'}
          </Empty>
        }
      />
    </Page>
  );
}
