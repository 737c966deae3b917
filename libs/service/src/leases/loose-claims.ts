import type { LooseRoom } from './claims';

/** The first seven parameters of a statement that begins with `looseSql`. */
export function looseParams({ room, share, held }: LooseRoom): unknown[] {
  const holdings = [...held.values()];
  return [
    room.places,
    room.bytes,
    share.places,
    share.bytes,
    [...held.keys()],
    holdings.map(({ places }) => places),
    holdings.map(({ bytes }) => bytes),
  ];
}

const HELD = 'unnest($5::uuid[], $6::int[], $7::bigint[]) as held (space_id, places, bytes)';

/**
 * Rows of a table that nobody holds and that may be taken now, as `space_id, id, due_at, place`: in turn, one of each
 * Space after the other, and none of a Space beyond its share. A Space that has its share is passed over at once, or its
 * rows would hide those of the others that have waited for less.
 */
export const looseSql = (table: string, loose: string): string => `
  select space_id, id, due_at, place from (
    select *, sum(bytes) over (order by place, due_at, id) - bytes as bytes_before from (
      select due.*, row_number() over of_space as place, coalesce(held.places, 0) as places_held,
        coalesce(held.bytes, 0) + sum(due.bytes) over of_space - due.bytes as space_bytes
      from (
        select space_id, id, run_at as due_at, bytes from ${table} where ${loose}
          and space_id <> all(array(select space_id from ${HELD} where places >= $3 or bytes >= $4))
        order by run_at limit 4 * $1) due
      left join ${HELD} on held.space_id = due.space_id
      window of_space as (partition by due.space_id order by due.due_at, due.id)) placed
    where place + places_held <= $3 and space_bytes < $4) shared
  where bytes_before < $2`;
