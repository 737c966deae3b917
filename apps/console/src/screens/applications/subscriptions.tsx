import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Subscription } from '@switchyard/client';
import { Plus } from 'lucide-react';
import { isBlank, useList } from '../../api/use-list';
import { useClient, useMay } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { useAction } from '../../ui/use-action';
import { TaskLink } from '../events/task-link';
import { EditSubscription } from './edit-subscription';
import { NewSubscription } from './new-subscription';

/** Of one application, or of all. */
export function Subscriptions({ appIdentifier }: { appIdentifier?: string }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const mayWrite = useMay('MEMBER');
  const [isNew, setNew] = useState(false);
  const [edited, setEdited] = useState<Subscription | null>(null);
  const [leaving, setLeaving] = useState<Subscription | null>(null);
  const list = useList(['subscriptions', 'list', appIdentifier], (cursor) =>
    client.events.subscriptions({
      limit: 50,
      ...(appIdentifier === undefined ? {} : { appIdentifier }),
      ...(cursor ? { cursor } : {}),
    }),
  );
  const change = useAction((id: string, active: boolean) => client.events.updateSubscription(id, { active }), {
    changes: [['subscriptions']],
    saysRefusal: true,
  });
  const columns: Column<Subscription>[] = [
    {
      name: 'Task',
      cell: ({ taskId }) => taskId !== null && <TaskLink taskId={taskId} />,
    },
    {
      name: 'Event',
      cell: (row) => (
        <span title={row.appIdentifier}>
          {row.event} {appIdentifier === undefined && <span className="text-faint">{row.appIdentifier}</span>}
        </span>
      ),
    },
    {
      name: 'Filter',
      cell: ({ filter }) =>
        filter === null ? (
          <span className="text-faint">Every payload</span>
        ) : (
          <code className="font-mono text-xs break-all text-soft" title={JSON.stringify(filter)}>
            {JSON.stringify(filter)}
          </code>
        ),
    },
    {
      name: 'State',
      saysItself: true,
      width: '11rem',
      cell: ({ active, origin }) => (
        <span className="inline-flex gap-1">
          <Badge tone={active ? 'good' : 'none'}>{active ? 'Active' : 'Paused'}</Badge>
          {origin === 'DEFAULT' && <Badge>Default</Badge>}
        </span>
      ),
    },
    ...(mayWrite
      ? [
          {
            name: 'Actions',
            saysItself: true,
            width: '14rem',
            align: 'right' as const,
            cell: (row: Subscription) => (
              <span className="inline-flex flex-wrap gap-1">
                <Button size="small" onClick={() => setEdited(row)}>
                  Edit
                </Button>
                <Button size="small" isBusy={change.isBusy} onClick={() => void change.run(row.id, !row.active)}>
                  {row.active ? 'Pause' : 'Resume'}
                </Button>
                <Button size="small" look="danger" onClick={() => setLeaving(row)}>
                  Delete
                </Button>
              </span>
            ),
          },
        ]
      : []),
  ];
  const remove = async (): Promise<void> => {
    if (leaving) await client.events.unsubscribe(leaving.id);
    await queries.invalidateQueries({ queryKey: ['subscriptions'] });
  };
  const add = mayWrite && (
    <Button size="small" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
      Create subscription
    </Button>
  );
  return (
    <Section title="Subscriptions" actions={!isBlank(list) && add}>
      <Table
        name="Subscriptions"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        height="24rem"
        empty={
          <div className="flex flex-wrap items-center gap-3">
            <p className="text-soft">No task runs on an event yet. A subscription makes one run.</p>
            {isBlank(list) && add}
          </div>
        }
      />
      {isNew && <NewSubscription appIdentifier={appIdentifier} onClose={() => setNew(false)} />}
      {edited !== null && <EditSubscription of={edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        action="Delete subscription"
        onConfirm={remove}
      >
        Its task no longer runs on {leaving?.event}. The task itself stays
        {leaving?.origin === 'DEFAULT' ? ', and goes with the application that brought it.' : '.'}
      </ConfirmDialog>
    </Section>
  );
}
