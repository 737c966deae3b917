import type { Read } from '../transactions/database';

/** A Space that a claimer looks into, and how much it may take there. */
export interface SpaceRoom {
  spaceId: string;
  /** How many rows of the Space may be busy, on all replicas together. */
  limit: number;
  /** How many rows of it this round may take. */
  room: number;
  /** How many bytes this round may take there: the row that goes past it is the last one. */
  bytes: number;
  /** False for a `limit` that is only the least there can be: then rows over it do not block the Space. */
  isLimitKnown: boolean;
}

/** What a service says of its queue, in SQL. `space` and `limit` are expressions over the Space that is looked into. */
export interface QueueSql {
  table: string;
  /** Condition of the rows that wait. */
  queued: string;
  /** A query for `id, bytes` of up to `room` rows of one Space that may be claimed now, in the order of their turn. */
  claimable: (space: string, limit: string, room: string) => string;
}

/** A Space that is blocked by a limit is looked at again after this long, should no row that ends say so before. */
const BLOCKED = `interval '60 seconds'`;

const PICKED = `unnest(string_to_array(nullif(current_setting('app.picked', true), ''), ',')::uuid[])`;
const SETTLED = `string_to_array(nullif(current_setting('app.settled', true), ''), ',')::uuid[]`;
const ROOMS = 'unnest($1::uuid[], $2::int[], $3::int[]) as room (space_id, space_limit, room)';

/** In turn, one row of each Space after the other, until the bytes are used up. */
const withinBytes = (claimable: string): string => `
  select space_id, id, bytes from (
    select *, sum(bytes) over (order by place, space_id) - bytes as bytes_before from (
      select picked.space_id, c.id, c.bytes, c.place, room_bytes.bytes as space_bytes,
        sum(c.bytes) over (partition by picked.space_id order by c.place) - c.bytes as space_bytes_before
      from ${PICKED} as picked (space_id) join ${ROOMS} on room.space_id = picked.space_id
      join unnest($1::uuid[], $4::bigint[]) as room_bytes (space_id, bytes) on room_bytes.space_id = picked.space_id
      cross join lateral (select found.*, row_number() over () as place from (${claimable}) found) c) sized
    where space_bytes_before < space_bytes) allowed
  where bytes_before < $5::bigint`;

/** The Spaces whose turn it is, the longest waiting first. */
export const dueSpaces = (limit: number, except: readonly string[]): Read => ({
  name: 'due-spaces',
  params: [limit, except],
  sql: `select space_id from ready_spaces where due_at <= (select clock_timestamp()) and space_id <> all($2::uuid[]) order by due_at limit $1`,
});

/**
 * A limit of the Space was changed: what was blocked by it may go on. Without a condition on the time, so that it waits
 * for a claimer that is about to put the Space off.
 */
export const spaceUnblocked = (spaceId: string): Read => ({
  name: 'space-unblocked',
  params: [spaceId],
  sql: 'update ready_spaces set due_at = clock_timestamp() where space_id = $1',
});

/** Which results of `claimRound` are of use to its caller. */
export const CLAIMED = 1;
export const LOOKED_INTO = 3;

/**
 * The statements of one round of claims over several Spaces, to be sent as one transaction. `claim` gets a query for
 * `space_id, id, bytes` of the rows to claim, of `bytes` together or a little more; its own parameters begin at $6. The
 * result at `LOOKED_INTO` says of each Space whether it has more.
 *
 * One claimer at a time counts the busy rows of a Space: `pick` locks its row, and skips Spaces that another one has.
 * `settle` takes the stronger lock that writers of queued rows exclude, and decides in a statement of its own, which
 * sees all that they have committed, whether the Space goes to the end of the line or is put off.
 */
export function claimRound(
  queue: QueueSql,
  spaces: readonly SpaceRoom[],
  bytes: number,
  claim: (chosen: string) => Read,
): Read[] {
  const rooms = [
    spaces.map((space) => space.spaceId),
    spaces.map((space) => space.limit),
    spaces.map(({ room }) => room),
  ];
  const { sql, ...rest } = claim(withinBytes(queue.claimable('room.space_id', 'room.space_limit', 'room.room')));
  const spaceBytes = spaces.map((space) => space.bytes);
  const statements = [
    {
      name: 'pick-spaces',
      params: [rooms[0]],
      sql: `select set_config('app.picked', coalesce(string_agg(space_id::text, ','), ''), true) from (
        select space_id from ready_spaces where space_id = any($1::uuid[]) and due_at <= (select clock_timestamp())
        order by space_id for no key update skip locked) due`,
    },
    { ...rest, params: [...rooms, spaceBytes, bytes, ...rest.params], sql },
    {
      name: 'settle-spaces',
      params: [],
      sql: `select set_config('app.settled', coalesce(string_agg(space_id::text, ','), ''), true) from (
        select space_id from ready_spaces where space_id in (select ${PICKED}) for update skip locked) quiet`,
    },
    {
      name: 'put-spaces-off',
      params: [...rooms, spaces.map(({ isLimitKnown }) => isLimitKnown)],
      sql: `with looked as (
          select room.space_id, exists(${queue.claimable('room.space_id', 'room.space_limit', '1')}) as has_more,
            (select true from ${queue.table} where space_id = room.space_id and ${queue.queued} and run_at <= (select clock_timestamp()) limit 1) is true as is_blocked,
            (select run_at from ${queue.table} where space_id = room.space_id and ${queue.queued} and run_at > (select clock_timestamp()) order by run_at limit 1) as next_at,
            known.is_limit_known
          from ${ROOMS} join unnest($1::uuid[], $4::boolean[]) as known (space_id, is_limit_known) on known.space_id = room.space_id where room.space_id in (select ${PICKED}))
        update ready_spaces r set due_at = case
            when looked.has_more or (looked.is_blocked and not looked.is_limit_known) or not r.space_id = any(coalesce(${SETTLED}, '{}')) then clock_timestamp()
            when looked.is_blocked then least(looked.next_at, clock_timestamp() + ${BLOCKED})
            else coalesce(looked.next_at, 'infinity') end
        from looked where r.space_id = looked.space_id
        returning r.space_id, looked.has_more, looked.is_blocked`,
    },
  ];
  return statements.map((statement) => ({ ...statement, hasOnePlan: true }));
}
