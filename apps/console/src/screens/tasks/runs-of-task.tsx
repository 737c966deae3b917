import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Execution } from '@switchyard/client';
import { useList } from '../../api/use-list';
import { useRefresh } from '../../api/use-refresh';
import { useClient } from '../../session/session-context';
import { Badge, StatusBadge } from '../../ui/badge';
import { between, exactTime } from '../../ui/format';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';

const columns: Column<Execution>[] = [
  {
    name: 'Execution',
    cell: ({ id, createdAt, triedStep }) => (
      <span className="flex flex-wrap items-center gap-2">
        <Link to={`/executions/${id}`} title={id} className="font-medium hover:underline">
          {exactTime(createdAt)}
        </Link>
        {triedStep !== null && <Badge>step {triedStep} alone</Badge>}
      </span>
    ),
  },
  { name: 'Status', saysItself: true, width: '10rem', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'Took',
    width: '8rem',
    align: 'right',
    cell: ({ startedAt, finishedAt }) => between(startedAt, finishedAt) ?? '–',
  },
  { name: 'When', width: '8rem', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function RunsOfTask({ taskId }: { taskId: string }): ReactNode {
  const client = useClient();
  const list = useList(['executions', 'of', taskId], (cursor) =>
    client.tasks.executions(taskId, { limit: 50, cursor }),
  );
  useRefresh(['executions', 'of', taskId], (row) => row.taskId === taskId);
  return (
    <Section title="Executions">
      <Table
        name="Executions"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        height="28rem"
        empty={<p className="text-faint">No executions yet.</p>}
      />
    </Section>
  );
}
