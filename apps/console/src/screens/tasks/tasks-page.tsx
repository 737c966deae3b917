import type { ReactNode } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TaskSummary } from '@switchyard/client';
import { ListChecks, Plus } from 'lucide-react';
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
import { cronInWords } from './cron-words';
import { LastResults } from './last-results';
import { tasksSearch } from './search-params';
import { Cost, DAYS, Failures, LastRun, Runs, useLiveNumbers } from './task-numbers';

const STARTS: Record<TaskSummary['type'], string> = {
  MANUAL: 'By hand',
  SCHEDULE: 'On a schedule',
  EVENT: 'On an event',
};

export function TasksPage(): ReactNode {
  const client = useClient();
  const navigate = useNavigate();
  const mayWrite = useMay('MEMBER');
  const [{ q }, change] = useFilters(tasksSearch);
  const words = q ?? '';
  const list = useList(['tasks', 'list', words], (cursor) =>
    client.tasks.list({ limit: 50, cursor, ...(words === '' ? {} : { q: words }) }),
  );
  useLiveNumbers();
  const columns: Column<TaskSummary>[] = [
    {
      name: 'Name',
      cell: ({ id, name, active }) => (
        <span className="flex min-w-0 items-center gap-2">
          <Link to={`/tasks/${id}`} className="line-clamp-2 font-medium wrap-anywhere hover:underline" dir="auto">
            {name}
          </Link>
          {!active && <Badge>off</Badge>}
        </span>
      ),
    },
    {
      name: 'Starts',
      width: '11rem',
      cell: ({ type, schedule }) => (
        <span className="text-soft" title={schedule?.cron}>
          {schedule === null ? STARTS[type] : (cronInWords(schedule.cron) ?? schedule.cron)}
        </span>
      ),
    },
    {
      name: 'Next run',
      width: '6.5rem',
      align: 'right',
      cell: ({ nextRunAt }) => <span className="text-soft">{nextRunAt === null ? '–' : <Time at={nextRunAt} />}</span>,
    },
    {
      name: 'Last ten',
      width: '16.5rem',
      align: 'right',
      cell: ({ id }) => <LastResults taskId={id} />,
    },
    { name: 'Runs', width: '5rem', align: 'right', cell: ({ id }) => <Runs taskId={id} /> },
    { name: 'Failed', width: '6.5rem', align: 'right', cell: ({ id }) => <Failures taskId={id} /> },
    { name: 'Cost', width: '6rem', align: 'right', cell: ({ id }) => <Cost taskId={id} /> },
    { name: 'Last run', width: '6.5rem', align: 'right', cell: ({ id }) => <LastRun taskId={id} /> },
  ];
  const isFirst = words === '' && isBlank(list);
  const add = mayWrite ? (
    <Button
      look="primary"
      icon={<Plus className="size-4" aria-hidden="true" />}
      onClick={() => void navigate({ to: '/tasks/new' })}
    >
      Create task
    </Button>
  ) : undefined;
  return (
    <Page
      title="Tasks"
      description={`Steps that run by hand, on a schedule, or when an event occurs. Numbers are of the last ${DAYS} days.`}
      actions={isFirst ? undefined : add}
    >
      <SearchField
        label="Search tasks"
        value={words}
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
            title={words === '' ? 'No tasks yet' : 'No tasks match'}
            icon={<ListChecks className="size-5" aria-hidden="true" />}
            action={isFirst && add}
          >
            {words === ''
              ? 'A task is a list of steps: agents, requests, datasets, events. It runs by hand, on a schedule or on an event.'
              : 'Try another word.'}
          </Empty>
        }
      />
    </Page>
  );
}
