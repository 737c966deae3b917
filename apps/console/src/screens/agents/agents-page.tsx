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
import { Cost, DAYS, Failures, LastUsed, Runs } from './agent-numbers';
import { agentsSearch } from './search-params';

const columns: Column<AgentSummary>[] = [
  {
    name: 'Name',
    cell: ({ id, name, description, system }) => (
      <span className="grid min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <Link to={`/agents/${id}`} className="truncate font-medium hover:underline" dir="auto">
            {name}
          </Link>
          {system && <Badge>built in</Badge>}
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
  { name: 'Last used', width: '7rem', align: 'right', cell: ({ id }) => <LastUsed agentId={id} /> },
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
  const isFirst = words === '' && isBlank(list);
  const add = mayWrite ? (
    <Button
      look="primary"
      icon={<Plus className="size-4" aria-hidden="true" />}
      onClick={() => void navigate({ to: '/agents/new' })}
    >
      New agent
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
        columns={columns}
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
