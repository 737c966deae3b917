import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Execution, Task } from '@switchyard/client';
import { ListChecks, Plus } from 'lucide-react';
import { useActivity } from '../../api/activity-context';
import { useFilters } from '../../api/use-filters';
import { useList } from '../../api/use-list';
import { useClient, useMay } from '../../session/session-context';
import { Badge, wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { LastResults } from './last-results';

const MARKS = 10;

export function TasksPage(): ReactNode {
  const client = useClient();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const mayWrite = useMay('MEMBER');
  const [{ q }, change] = useFilters<'q'>();
  const words = useDeferredValue(q ?? '');
  const list = useList(['tasks', 'list', words], (cursor) =>
    client.tasks.list({ limit: 50, cursor, ...(words === '' ? {} : { q: words }) }),
  );
  const latest = useQuery({
    queryKey: ['executions', 'latest'],
    queryFn: () => client.tasks.executions({ limit: 100 }),
  });
  useActivity((row) => {
    if (row === null || row.kind === 'execution')
      void queries.invalidateQueries({ queryKey: ['executions', 'latest'] });
  });
  const byTask = useMemo(() => {
    const found = new Map<string, Execution[]>();
    for (const execution of latest.data?.items ?? []) {
      const known = found.get(execution.taskId) ?? [];
      if (known.length < MARKS) found.set(execution.taskId, [...known, execution]);
    }
    return found;
  }, [latest.data]);
  const columns: Column<Task>[] = [
    {
      name: 'Name',
      cell: ({ id, name, active }) => (
        <span className="flex min-w-0 items-center gap-2">
          <Link to={`/tasks/${id}`} className="truncate font-medium hover:underline" dir="auto">
            {name}
          </Link>
          {!active && <Badge>off</Badge>}
        </span>
      ),
    },
    {
      name: 'Starts',
      width: '10rem',
      cell: ({ type, schedule }) => <span className="text-soft">{schedule?.cron ?? wordsOf(type)}</span>,
    },
    {
      name: 'Steps',
      width: '5rem',
      align: 'right',
      cell: ({ steps }) => <span className="text-soft">{steps.length}</span>,
    },
    {
      name: 'Next run',
      width: '8rem',
      align: 'right',
      cell: ({ nextRunAt }) => <span className="text-soft">{nextRunAt === null ? '–' : <Time at={nextRunAt} />}</span>,
    },
    {
      name: 'Last ten',
      width: '9rem',
      align: 'right',
      cell: ({ id }) => <LastResults executions={byTask.get(id) ?? []} />,
    },
  ];
  return (
    <Page
      title="Tasks"
      description="Steps that run by hand, on a schedule, or when an event occurs."
      actions={
        mayWrite ? (
          <Button
            look="primary"
            icon={<Plus className="size-4" aria-hidden="true" />}
            onClick={() => void navigate({ to: '/tasks/new' })}
          >
            New task
          </Button>
        ) : undefined
      }
    >
      <TextField
        label="Search tasks"
        hideLabel
        type="search"
        placeholder="Search tasks"
        value={q ?? ''}
        onChange={(value) => change({ q: value })}
        className="mb-3 max-w-72"
      />
      <Table
        name="Tasks"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title={words === '' ? 'No tasks yet' : 'No task is called that'}
            icon={<ListChecks className="size-5" aria-hidden="true" />}
          >
            {words === ''
              ? 'A task is a list of steps: agents, requests, datasets, events. Make the first with “New task”.'
              : 'Try another word.'}
          </Empty>
        }
      />
    </Page>
  );
}
