import type { ReactNode } from 'react';
import type { PlatformEvent } from '@switchyard/client';
import { ShieldCheck } from 'lucide-react';
import { PLATFORM_ACTIONS, actionOptions } from '../../api/security-words';
import { useFilters } from '../../api/use-filters';
import { useList } from '../../api/use-list';
import { useSession } from '../../session/session-context';
import { wordsOf } from '../../ui/badge';
import { ChipSelect, Chips } from '../../ui/chips';
import { shortId } from '../../ui/format';
import { SecurityEventTable } from '../../ui/security-event-table';
import { Empty } from '../../ui/states';
import type { Column } from '../../ui/table';
import { Time } from '../../ui/time';
import { writtenName } from '../security-events/event-names';
import { PersonName, SpaceName } from './names';
import { OperatorFrame } from './operator-frame';
import { eventsSearch } from './search-params';

function actorOf({ actor }: PlatformEvent): ReactNode {
  if (actor.id === undefined) return wordsOf(actor.type);
  const isPerson = actor.type === 'user' || actor.type === 'operator';
  return (
    <>
      {wordsOf(actor.type)} {isPerson ? <PersonName userId={actor.id} /> : shortId(actor.id)}
    </>
  );
}

/** Events whose object is a person. */
const OF_PERSON = /^(?:account|identity|member|operator|password|user)\.(?!key\.)/u;

function targetOf(event: PlatformEvent): ReactNode {
  const { action, target, spaceId } = event;
  const name = writtenName(event);
  // The Space has a column of its own, and a sign-in is the actor's.
  if (name === null && (target === null || target === spaceId || action.startsWith('sign-in.'))) return '–';
  if (target !== null && OF_PERSON.test(action)) return <PersonName userId={target} />;
  return name ?? shortId(target ?? '');
}

const COLUMNS: readonly Column<PlatformEvent>[] = [
  {
    name: 'To',
    cell: (event) => (
      <span className="text-soft stacked:wrap-anywhere" dir="auto">
        {targetOf(event)}
      </span>
    ),
  },
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
  const [{ action }, change] = useFilters(eventsSearch);
  const list = useList(['operator', 'events', action], (cursor) =>
    client.operator.events({ limit: 50, ...(action ? { action } : {}), ...(cursor ? { cursor } : {}) }),
  );
  return (
    <OperatorFrame description="Changes to accounts, keys, Spaces and the platform, and sign-ins.">
      <div className="mb-3">
        <Chips label="Filters">
          <ChipSelect
            label="Event"
            value={action ?? ''}
            onChange={(value) => change({ action: value })}
            options={actionOptions(PLATFORM_ACTIONS, action)}
          />
        </Chips>
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
          <Empty
            title={action === undefined ? 'No events yet' : 'No events match'}
            icon={<ShieldCheck className="size-5" aria-hidden="true" />}
          >
            {action === undefined ? 'Changes and sign-ins are listed here.' : 'Choose another event.'}
          </Empty>
        }
      />
    </OperatorFrame>
  );
}
