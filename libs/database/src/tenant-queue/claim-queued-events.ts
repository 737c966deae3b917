import { QUEUE_SPACE } from '../migrations/messaging-tables';
import type { Read } from '../transactions/database';
import { upToBytes, weightOf } from './claim-byte-limit';

/** Most Spaces in one claim, and order keys of each. */
const SPACES = 16;
const KEYS = 16;
/** With more Spaces, the last key of a Space is not remembered. */
const MAX_REMEMBERED = 1000;

/** Queued events of a Space and order key, published one after the other. */
export interface QueuedLine {
  space: string;
  orderKey: string;
  /** Whether some are in flight, or delayed after a refusal. */
  isTaken: boolean;
}

const QUEUED = 'from outbox where epoch < 0';

/** Next distinct value of `column` after `after`, wrapping around: one index descent each. */
const nextOf = (column: string, rows: string, after: string): string => `coalesce(
  (select ${column} ${rows} and ${column} > ${after} order by ${column} limit 1),
  (select ${column} ${rows} order by ${column} limit 1))`;

/**
 * Up to `limit` distinct values of `column`, in a cycle starting after `after`. Costs what it finds, not what is
 * queued.
 */
export const ring = (column: string, rows: string, after: string, limit: number): string => `
  with recursive ring (value, first, place) as (
    select found.value, found.value, 1 from (select ${nextOf(column, rows, after)} as value) found where found.value is not null
    union all
    select next.value, ring.first, ring.place + 1
      from ring cross join lateral (select ${nextOf(column, rows, 'ring.value')} as value) next
     where ring.place < ${limit} and next.value <> ring.first)
  select value, place from ring`;

/**
 * One claimer at a time, or two would each see the same keys as free. Plans use the queue's index: a sort would read
 * everything.
 */
export const lockQueue: Read = {
  name: 'outbox-queue-lock',
  params: [],
  sql: `select pg_advisory_xact_lock(74003, hashtext(current_schema())), set_config('enable_sort', 'off', true)`,
};

export const queuedSpaces = (after: string): Read => ({
  name: 'outbox-queue-spaces',
  params: [after],
  sql: `select value as space from (${ring(QUEUE_SPACE, QUEUED, '$1', SPACES)}) spaces order by place`,
});

/** Order keys of each Space, starting after the one in `after`. */
export const queuedLines = (spaces: readonly string[], after: readonly string[]): Read => ({
  name: 'outbox-queue-lines',
  params: [spaces, after],
  sql: `select looked.space, line.value as order_key, (
           select true from outbox taken
            where taken.epoch < 0 and taken.order_key = line.value and taken.locked_until > statement_timestamp() limit 1) is true as is_taken
          from unnest($1::text[], $2::text[]) with ordinality as looked (space, after, place)
         cross join lateral (${ring('order_key', `${QUEUED} and ${QUEUE_SPACE} = looked.space`, 'looked.after', KEYS)}) line
         order by looked.place, line.place`,
});

/**
 * For an event selected by its key. Without `is not false`, the planner may prefer a partial index of queued events and
 * scan it.
 */
export const isQueuedByKey = (epoch: string): string => `(${epoch} < 0) is not false`;

/**
 * The oldest events of each key, as many as its `room`: the first of each, then the second of each, up to the byte
 * limit.
 */
export const claimLines = (lines: readonly (QueuedLine & { quota: number })[], bytes: number): Read => ({
  name: 'outbox-queue-claim',
  params: [
    lines.map(({ space }) => space),
    lines.map(({ orderKey }) => orderKey),
    lines.map(({ quota }) => quota),
    bytes,
  ],
  sql: `with next as (${upToBytes(
    '$4',
    weightOf('data'),
    `select oldest.id, oldest.data, row_number() over (order by oldest.turn, line.place) as place
             from unnest($1::text[], $2::text[], $3::int[]) with ordinality as line (space, order_key, room, place)
            cross join lateral (
              select id, data, row_number() over (order by seq) as turn from (
                select id, data, seq ${QUEUED} and ${QUEUE_SPACE} = line.space and outbox.order_key = line.order_key
                 order by seq limit line.room) first) oldest`,
  )}),
         claimed as (
           update outbox o set locked_until = clock_timestamp() + interval '30 seconds'
             from next where o.id = next.id and ${isQueuedByKey('o.epoch')}
           returning o.id, o.name, o.at, o.ctx, o.data, o.order_key, o.pending, o.epoch, o.seq)
         select id, name, at, ctx, data, order_key, pending, epoch from claimed order by seq`,
});

/** Round robin over Spaces, and over the order keys of each. */
export class QueuedTurns {
  private lastSpace = '';
  private readonly lastKeys = new Map<string, string>();

  get afterSpace(): string {
    return this.lastSpace;
  }

  afterKey(space: string): string {
    return this.lastKeys.get(space) ?? '';
  }

  /** Events that each free key may send of `limit`, so that no Space gets more than its share. */
  share(spaces: readonly string[], lines: readonly QueuedLine[], limit: number): (QueuedLine & { quota: number })[] {
    this.lastSpace = spaces.at(-1) ?? '';
    const share = Math.max(1, Math.floor(limit / spaces.length));
    return spaces.flatMap((space) => {
      const looked = lines.filter((line) => line.space === space);
      const free = looked.filter(({ isTaken }) => !isTaken).slice(0, share);
      this.remember(space, (free.at(-1) ?? looked.at(-1))?.orderKey ?? '');
      return free.map((line) => ({ ...line, quota: Math.max(1, Math.floor(share / free.length)) }));
    });
  }

  /** False if one call can have seen all Spaces with queued events. */
  static mayBeMore(spaces: readonly string[]): boolean {
    return spaces.length === SPACES;
  }

  private remember(space: string, key: string): void {
    this.lastKeys.delete(space);
    this.lastKeys.set(space, key);
    const [longestAgo] = this.lastKeys.keys();
    if (this.lastKeys.size > MAX_REMEMBERED && longestAgo !== undefined) this.lastKeys.delete(longestAgo);
  }
}
