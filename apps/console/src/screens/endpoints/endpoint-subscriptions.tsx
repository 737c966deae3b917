import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Subscription } from '@switchyard/client';
import { Plus } from 'lucide-react';
import { isBlank, useList } from '../../api/use-list';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { EditSubscription } from '../applications/edit-subscription';
import { NewSubscription } from '../applications/new-subscription';

/** The events that an endpoint receives. */
export function EndpointSubscriptions({ endpointId }: { endpointId: string }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [isNew, setNew] = useState(false);
  const [edited, setEdited] = useState<Subscription | null>(null);
  const [removed, setRemoved] = useState<Subscription | null>(null);
  const list = useList(['subscriptions', 'list', 'endpoint', endpointId], (cursor) =>
    client.events.subscriptions({ limit: 50, endpointId, ...(cursor ? { cursor } : {}) }),
  );
  const add = (
    <Button size="small" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
      Create subscription
    </Button>
  );
  const columns: Column<Subscription>[] = [
    {
      name: 'Event',
      cell: ({ event, appIdentifier }) => (
        <span>
          {event} <span className="text-faint">{appIdentifier}</span>
        </span>
      ),
    },
    {
      name: 'Filter',
      isWide: true,
      cell: ({ filter }) =>
        filter === null ? (
          <span className="text-faint">Every payload</span>
        ) : (
          <code className="font-mono text-xs break-all text-soft">{JSON.stringify(filter)}</code>
        ),
    },
    {
      name: 'Actions',
      saysItself: true,
      width: '11rem',
      align: 'right',
      cell: (row) => (
        <span className="inline-flex gap-1">
          <Button size="small" aria-label={`Edit ${row.event}`} onClick={() => setEdited(row)}>
            Edit
          </Button>
          <Button size="small" look="danger" aria-label={`Delete ${row.event}`} onClick={() => setRemoved(row)}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
  const remove = async (): Promise<void> => {
    if (removed) await client.events.unsubscribe(removed.id);
    await queries.invalidateQueries({ queryKey: ['subscriptions'] });
  };
  return (
    <Section title="Events" actions={!isBlank(list) && add}>
      <Table
        name="Subscriptions"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        height="20rem"
        empty={
          <div className="flex flex-wrap items-center gap-3">
            <p className="text-soft">It receives nothing yet. Subscribe it to an event.</p>
            {isBlank(list) && add}
          </div>
        }
      />
      {isNew && <NewSubscription endpointId={endpointId} onClose={() => setNew(false)} />}
      {edited !== null && <EditSubscription of={edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog
        open={removed !== null}
        onClose={() => setRemoved(null)}
        action="Delete subscription"
        onConfirm={remove}
      >
        The endpoint no longer receives {removed?.event}.
      </ConfirmDialog>
    </Section>
  );
}
