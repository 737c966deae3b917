import { type ReactNode, useState } from 'react';
import type { PlatformEvent } from '@switchyard/client';
import { ShieldCheck } from 'lucide-react';
import { useList } from '../../api/use-list';
import { useSession } from '../../session/session-context';
import { wordsOf } from '../../ui/badge';
import { shortId } from '../../ui/format';
import { SearchField } from '../../ui/search-field';
import { SecurityEventTable } from '../../ui/security-event-table';
import { Empty } from '../../ui/states';
import type { Column } from '../../ui/table';
import { Time } from '../../ui/time';
import { OperatorFrame } from './operator-frame';

const actorOf = ({ actor }: PlatformEvent): string =>
  actor.id === undefined ? wordsOf(actor.type) : `${wordsOf(actor.type)} ${shortId(actor.id)}`;

const COLUMNS: readonly Column<PlatformEvent>[] = [
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

/** The security events of all Spaces and of the operators themselves. */
export function OperatorEventsPage(): ReactNode {
  const { client } = useSession();
  const [action, setAction] = useState('');
  const list = useList(['operator', 'events', action], (cursor) =>
    client.operator.events({ limit: 50, ...(action ? { action } : {}), ...(cursor ? { cursor } : {}) }),
  );
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
      <SecurityEventTable
        name="Security events of the platform"
        list={list}
        actorOf={actorOf}
        columns={COLUMNS}
        facts={({ spaceId, target }) => [
          ['Space', spaceId],
          ['To', target],
        ]}
        empty={
          <Empty title="No events found" icon={<ShieldCheck className="size-5" aria-hidden="true" />}>
            No event has this action.
          </Empty>
        }
      />
    </OperatorFrame>
  );
}
