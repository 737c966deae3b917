import type { Read } from '../transactions/database';

/** A Space to claim from, and its remaining quota. */
export interface SpaceQuota {
  spaceId: string;
  /** Most busy rows of the Space, over all replicas. */
  limit: number;
  /** Most rows to claim in this round. */
  quota: number;
  /** Byte limit of this round; the row that exceeds it is the last one. */
  bytes: number;
  /** False if `limit` is only a lower bound: rows over it then do not block the Space. */
  isLimitExact: boolean;
}

/** SQL of a service's queue. `space` and `limit` are expressions. */
export interface QueueSql {
  table: string;
  /** Condition of waiting rows. */
  queued: string;
  /** Query for `id, bytes` of up to `room` claimable rows of a Space, in order. */
  claimable: (space: string, limit: string, quota: string) => string;
}

/** Fallback: a blocked Space is checked again after this time, if no ending row has unblocked it. */
const BLOCKED = `interval '60 seconds'`;

/**
 * Plans the claim by the index that has the rows in their order. Where one Space has most of the rows, or few wait when
 * Postgres counts them, a sort of all that wait looks as cheap, and each claim would read the whole queue.
 */
const BY_INDEX = `set_config('enable_sort', 'off', true)`;
const PICKED = `unnest(string_to_array(nullif(current_setting('app.picked', true), ''), ',')::uuid[])`;
const SETTLED = `string_to_array(nullif(current_setting('app.settled', true), ''), ',')::uuid[]`;
const QUOTAS = 'unnest($1::uuid[], $2::int[], $3::int[]) as room (space_id, space_limit, room)';

/** Round robin over Spaces, up to the byte limit. */
const withinBytes = (claimable: string): string => `
  select space_id, id, bytes from (
    select *, sum(bytes) over (order by place, space_id) - bytes as bytes_before from (
      select picked.space_id, c.id, c.bytes, c.place, room_bytes.bytes as space_bytes,
        sum(c.bytes) over (partition by picked.space_id order by c.place) - c.bytes as space_bytes_before
      from ${PICKED} as picked (space_id) join ${QUOTAS} on room.space_id = picked.space_id
      join unnest($1::uuid[], $4::bigint[]) as room_bytes (space_id, bytes) on room_bytes.space_id = picked.space_id
      cross join lateral (select found.*, row_number() over () as place from (${claimable}) found) c) sized
    where space_bytes_before < space_bytes) allowed
  where bytes_before < $5::bigint`;

/** Due Spaces, longest waiting first. */
export const dueSpaces = (limit: number, except: readonly string[]): Read => ({
  name: 'due-spaces',
  params: [limit, except],
  sql: `select space_id from ready_spaces where due_at <= (select clock_timestamp()) and space_id <> all($2::uuid[]) order by due_at limit $1`,
});

/**
 * After a change of the Space's limit. No condition on the time, so that it waits for a claimer that is postponing the
 * Space.
 */
export const spaceUnblocked = (spaceId: string): Read => ({
  name: 'space-unblocked',
  params: [spaceId],
  sql: 'update ready_spaces set due_at = clock_timestamp() where space_id = $1',
});

/** Indexes of the results of `claimRound` that callers use. */
export const CLAIMED = 1;
export const LOOKED_INTO = 3;

/**
 * One round of claims over several Spaces, as one transaction. `claim` gets a query for `space_id, id, bytes` of the
 * rows to claim, up to a little over `bytes`; its own parameters start at $6. The result at `LOOKED_INTO` says whether
 * each Space has more. `pick` locks the Space's row and skips locked ones, so that one claimer at a time counts its
 * busy rows. `settle` takes the stronger lock, which excludes writers of queued rows, and decides in its own statement,
 * seeing their commits, whether the Space goes to the end of the queue or is postponed.
 */
export function claimRound(
  queue: QueueSql,
  spaces: readonly SpaceQuota[],
  bytes: number,
  claim: (chosen: string) => Read,
): Read[] {
  const quotas = [
    spaces.map((space) => space.spaceId),
    spaces.map((space) => space.limit),
    spaces.map(({ quota }) => quota),
  ];
  const { sql, ...rest } = claim(withinBytes(queue.claimable('room.space_id', 'room.space_limit', 'room.room')));
  const spaceBytes = spaces.map((space) => space.bytes);
  const statements = [
    {
      name: 'pick-spaces',
      params: [quotas[0]],
      sql: `select set_config('app.picked', coalesce(string_agg(space_id::text, ','), ''), true), ${BY_INDEX} from (
        select space_id from ready_spaces where space_id = any($1::uuid[]) and due_at <= (select clock_timestamp())
        order by space_id for no key update skip locked) due`,
    },
    { ...rest, params: [...quotas, spaceBytes, bytes, ...rest.params], sql },
    {
      name: 'settle-spaces',
      params: [],
      sql: `select set_config('app.settled', coalesce(string_agg(space_id::text, ','), ''), true) from (
        select space_id from ready_spaces where space_id in (select ${PICKED}) for update skip locked) quiet`,
    },
    {
      name: 'put-spaces-off',
      params: [...quotas, spaces.map(({ isLimitExact }) => isLimitExact)],
      sql: `with looked as (
          select room.space_id, found.has_more, known.is_limit_known,
            not found.has_more and (select true from ${queue.table} where space_id = room.space_id and ${queue.queued} and run_at <= (select clock_timestamp()) limit 1) is true as is_blocked,
            case when not found.has_more then (
              select run_at from ${queue.table} where space_id = room.space_id and ${queue.queued} and run_at > (select clock_timestamp()) order by run_at limit 1) end as next_at
          from ${QUOTAS} join unnest($1::uuid[], $4::boolean[]) as known (space_id, is_limit_known) on known.space_id = room.space_id
          cross join lateral (select exists(${queue.claimable('room.space_id', 'room.space_limit', '1')}) as has_more offset 0) found
          where room.space_id in (select ${PICKED}))
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
