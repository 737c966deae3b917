import type { Read } from '../transactions/database';
import { QUEUE_SPACE } from '../migrations/messaging-tables';
import { type ClaimLimit, upToBytes, weightOf } from './claim-byte-limit';
import { ring } from './claim-queued-events';

/** Most Spaces in one claim. */
const SPACES = 64;

const ROWS = 'from outbox where epoch >= 0';
const IS_DUE = 'locked_until < statement_timestamp()';

/** Unconfirmed events are few, usually none. */
export const anyDue: Read = {
  name: 'outbox-any-due',
  params: [],
  sql: `select 1 ${ROWS} and ${IS_DUE} limit 1`,
};

/** Queued events, due or not. */
export const anyQueued: Read = {
  name: 'outbox-any-queued',
  params: [],
  sql: 'select 1 from outbox where epoch < 0 limit 1',
};

/** Uses the index of Spaces: a sort would read all events. */
export const planByIndex: Read = {
  name: 'outbox-plan-by-index',
  params: [],
  sql: `select set_config('enable_sort', 'off', true)`,
};

/** Spaces with events, in a cycle starting after `after`, and whether some are due. */
export const dueSpaces = (after: string): Read => ({
  name: 'outbox-due-spaces',
  params: [after],
  sql: `select value as space, (select true ${ROWS} and ${QUEUE_SPACE} = value and ${IS_DUE} limit 1) is true as is_due
          from (${ring(QUEUE_SPACE, ROWS, '$1', SPACES)}) spaces order by place`,
});

/**
 * Takes the first event of each Space, then the second of each, and so on, up to the byte limit. Each claim doubles the
 * delay of the next one.
 */
export const claimDueOf = (spaces: readonly string[], { rows, bytes }: ClaimLimit): Read => ({
  name: 'outbox-claim-due',
  params: [spaces, rows, bytes],
  sql: `with next as (${upToBytes(
    '$3',
    // Reads data by key afterwards: loading it for all candidates takes longer.
    `(select ${weightOf('weighed.data')} from outbox weighed where weighed.id = chosen.id)`,
    `select due.id, row_number() over (order by due.turn, looked.place) as place
             from unnest($1::text[]) with ordinality as looked (space, place)
            cross join lateral (
              select id, row_number() over (order by locked_until) as turn from (
                select id, locked_until ${ROWS} and ${QUEUE_SPACE} = looked.space and ${IS_DUE}
                 order by locked_until limit $2) oldest) due
            order by due.turn, looked.place limit $2`,
  )})
         update outbox o
            set epoch = o.epoch + 1, locked_until = clock_timestamp() + least(interval '300 seconds', interval '10 seconds' * (2 ^ least(o.epoch + 1, 10)))
          where o.id in (select id ${ROWS} and ${IS_DUE} and id in (select id from next) for update skip locked)
         returning o.id, o.name, o.at, o.ctx, o.data, o.order_key, o.pending, o.epoch, ${weightOf('o.data')} as bytes`,
});

/** Round robin over Spaces. */
export class DueTurns {
  private last = '';

  get after(): string {
    return this.last;
  }

  took(spaces: readonly string[]): void {
    this.last = spaces.at(-1) ?? '';
  }

  /** False if one pass can have seen all Spaces with events. */
  static mayBeMore(spaces: readonly string[]): boolean {
    return spaces.length === SPACES;
  }
}
