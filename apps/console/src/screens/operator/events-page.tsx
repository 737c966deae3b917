import { type ReactNode, useState } from 'react';
import type { PlatformEvent } from '@switchyard/client';
import { ShieldCheck } from 'lucide-react';
import { useList } from '../../api/use-list';
import { useSession } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { Facts } from '../../ui/facts';
import { SearchField } from '../../ui/search-field';
import { exactTime, shortId } from '../../ui/format';
import { Json } from '../../ui/json';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { wordsOf } from '../../ui/badge';
import { OperatorFrame } from './operator-frame';

const actorOf = ({ actor }: PlatformEvent): string =>
  actor.id === undefined ? wordsOf(actor.type) : `${wordsOf(actor.type)} ${shortId(actor.id)}`;

/** The security events of all Spaces and of the operators themselves. */
export function OperatorEventsPage(): ReactNode {
  const { client } = useSession();
  const [action, setAction] = useState('');
  const [shown, setShown] = useState<PlatformEvent | null>(null);
  const list = useList(['operator', 'events', action], (cursor) =>
    client.operator.events({ limit: 50, ...(action ? { action } : {}), ...(cursor ? { cursor } : {}) }),
  );
  const columns: Column<PlatformEvent>[] = [
    {
      name: 'Event',
      cell: (event) => (
        <button
          type="button"
          className="max-w-full truncate rounded font-mono text-xs font-medium hover:underline"
          onClick={() => setShown(event)}
        >
          {event.action}
        </button>
      ),
    },
    { name: 'By', cell: (event) => <span className="text-soft">{actorOf(event)}</span> },
    {
      name: 'Space',
      width: '8rem',
      cell: ({ spaceId }) => (
        <span className="font-mono text-xs text-soft" title={spaceId ?? undefined}>
          {spaceId === null ? 'Platform' : shortId(spaceId)}
        </span>
      ),
    },
    { name: 'When', width: '7rem', align: 'right', cell: ({ at }) => <Time at={at} /> },
  ];
  return (
    <OperatorFrame description="What was done to accounts, keys, Spaces and the platform.">
      <div className="mb-3 flex">
        <SearchField
          label="Action, such as space.credited"
          value={action}
          onChange={setAction}
          className="w-full sm:w-72"
        />
      </div>
      <Table
        name="Security events of the platform"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No events found" icon={<ShieldCheck className="size-5" aria-hidden="true" />}>
            No event has this action.
          </Empty>
        }
      />
      <Dialog open={shown !== null} onClose={() => setShown(null)} title={shown?.action ?? 'Security event'}>
        {shown && (
          <div className="grid gap-4">
            <Facts
              of={[
                ['When', exactTime(shown.at)],
                ['By', actorOf(shown)],
                ['Space', shown.spaceId],
                ['To', shown.target],
                ['Request', shown.requestId],
              ]}
            />
            <Json label="Details" value={shown.details} />
          </div>
        )}
      </Dialog>
    </OperatorFrame>
  );
}
