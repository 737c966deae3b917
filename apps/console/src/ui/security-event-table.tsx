import { type ReactNode, useState } from 'react';
import { actionWords } from '../api/security-words';
import type { List } from '../api/use-list';
import { Dialog } from './dialog';
import { Facts } from './facts';
import { exactTime } from './format';
import { Json } from './json';
import { type Column, Table } from './table';

interface SecurityEventRow {
  id: string;
  action: string;
  at: string;
  requestId: string;
  target: string | null;
  details: Record<string, unknown>;
}

interface Props<E> {
  /** The accessible name of the table. */
  name: string;
  list: List<E>;
  actorOf: (event: E) => ReactNode;
  /** Behind the event and its actor. */
  columns: readonly Column<E>[];
  /** In the dialog of an event, between its actor and its request. */
  facts: (event: E) => readonly (readonly [string, ReactNode])[];
  empty: ReactNode;
  height?: string;
}

/** Security events, each with a dialog of its details. */
export function SecurityEventTable<E extends SecurityEventRow>(props: Props<E>): ReactNode {
  const { name, list, actorOf, columns, facts, empty, height } = props;
  const [shown, setShown] = useState<E | null>(null);
  const first: Column<E>[] = [
    {
      name: 'Event',
      cell: (event) => (
        <button
          type="button"
          className="max-w-full truncate rounded font-medium hover:underline stacked:whitespace-normal stacked:text-left"
          onClick={() => setShown(event)}
        >
          {actionWords(event.action)}
        </button>
      ),
    },
    { name: 'By', cell: (event) => <span className="text-soft">{actorOf(event)}</span> },
  ];
  return (
    <>
      <Table
        name={name}
        list={list}
        columns={[...first, ...columns]}
        keyOf={({ id }) => id}
        empty={empty}
        {...(height === undefined ? {} : { height })}
      />
      <Dialog
        open={shown !== null}
        onClose={() => setShown(null)}
        title={shown ? actionWords(shown.action) : 'Security event'}
      >
        {shown && (
          <div className="grid gap-4">
            <Facts
              of={[
                ['When', exactTime(shown.at)],
                ['By', actorOf(shown)],
                ...facts(shown),
                ['Code', shown.action],
                ['Request', shown.requestId],
              ]}
            />
            <Json label="Details" value={shown.details} />
          </div>
        )}
      </Dialog>
    </>
  );
}
