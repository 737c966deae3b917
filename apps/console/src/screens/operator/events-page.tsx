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
import { PersonName, SpaceName } from './names';
import { OperatorFrame } from './operator-frame';

function actorOf({ actor }: PlatformEvent): ReactNode {
  if (actor.id === undefined) return wordsOf(actor.type);
  const isPerson = actor.type === 'user' || actor.type === 'operator';
  return (
    <>
      {wordsOf(actor.type)} {isPerson ? <PersonName userId={actor.id} /> : shortId(actor.id)}
    </>
  );
}

const COLUMNS: readonly Column<PlatformEvent>[] = [
  {
    name: 'Space',
    width: '12rem',
    cell: ({ spaceId }) => <SpaceName spaceId={spaceId} />,
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
    <OperatorFrame description="Changes to accounts, keys, Spaces and the platform, and sign-ins.">
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
