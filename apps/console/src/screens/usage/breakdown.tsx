import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { UsageQuery, UsageRow } from '@switchyard/client';
import { ChartColumn } from 'lucide-react';
import { useList } from '../../api/use-list';
import { useClient } from '../../session/session-context';
import { cost, number } from '../../ui/format';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import type { Names } from './use-names';

export type Group = NonNullable<UsageQuery['groupBy']>;

const HEADS: Record<Group, string> = {
  day: 'Day',
  model: 'Model',
  agent: 'Agent',
  user: 'User',
  key: 'Key',
  source: 'Source',
};
const WITHOUT: Record<Group, string> = {
  day: 'No day',
  model: 'No model',
  agent: 'Without an agent',
  user: 'Without a user',
  key: 'Without a key',
  source: 'No source',
};

/** Usage by person, key, agent or model. */
export function Breakdown({ by, from, names }: { by: Group; from: string; names: Names }): ReactNode {
  const client = useClient();
  const list = useList(['usage', 'groups', by, from], async () => {
    const rows = await client.usage.read({ groupBy: by, from });
    return { items: by === 'day' ? rows.reverse() : rows, nextCursor: null };
  });
  const whole = list.rows.reduce((sum, { tokens }) => sum + tokens, 0);
  const columns: Column<UsageRow>[] = [
    { name: HEADS[by], cell: (row) => <Name by={by} id={row[by] ?? null} names={names} /> },
    {
      name: 'Share',
      width: '9rem',
      cell: ({ tokens }) => (
        <span className="block h-2 w-24 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
          <span
            className="block h-full rounded-full bg-accent"
            style={{ width: `${whole === 0 ? 0 : (tokens / whole) * 100}%` }}
          />
        </span>
      ),
    },
    { name: 'Calls', width: '8rem', align: 'right', cell: ({ calls }) => <Figure of={calls} /> },
    {
      name: 'Tokens',
      width: '9rem',
      align: 'right',
      cell: ({ tokens }) => <Figure of={tokens} />,
    },
    { name: 'Cost', width: '8rem', align: 'right', cell: (row) => <span className="text-soft">{cost(row.cost)}</span> },
  ];
  return (
    <Table
      name="Usage"
      list={list}
      columns={columns}
      keyOf={(row) => row[by] ?? 'none'}
      height="24rem"
      empty={
        <div className="card">
          <Empty title="No usage yet" icon={<ChartColumn className="size-5" aria-hidden="true" />}>
            Model calls of agents, tasks and programs are summed up here.
          </Empty>
        </div>
      }
    />
  );
}

const Figure = ({ of }: { of: number }): ReactNode => <span className="text-soft">{number(of)}</span>;

function Name({ by, id, names }: { by: Group; id: string | null; names: Names }): ReactNode {
  if (id === null) return <span className="text-faint">{WITHOUT[by]}</span>;
  if (by === 'agent')
    return (
      <Link to={`/agents/${id}`} className="font-medium hover:underline" dir="auto">
        {names.agent(id)}
      </Link>
    );
  const name = by === 'user' ? names.user(id) : by === 'key' ? names.key(id) : id;
  return (
    <span className={by === 'model' ? 'font-mono text-xs' : 'font-medium'} dir="auto" title={id}>
      {name}
    </span>
  );
}
