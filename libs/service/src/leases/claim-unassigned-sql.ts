import type { UnassignedCapacity } from './leased-rows';

/** The first eight parameters of a statement that begins with `unassignedSql`. */
export function unassignedParams({ capacity, share, used, payers }: UnassignedCapacity): unknown[] {
  const holdings = [...used.values()];
  return [
    capacity.slots,
    capacity.bytes,
    share.slots,
    share.bytes,
    [...used.keys()],
    holdings.map(({ slots }) => slots),
    holdings.map(({ bytes }) => bytes),
    JSON.stringify(Object.fromEntries(payers)),
  ];
}

const USED = 'unnest($5::uuid[], $6::int[], $7::bigint[]) as held (payer, places, bytes)';
/** Not a join, which could read the rows in another order than that of the index. */
const PAYER = `coalesce(($8::jsonb ->> space_id::text)::uuid, space_id)`;

/**
 * Rows of a table without a lease that are due, as `space_id, id, due_at, place`: in turn, one of each payer after the
 * other, and none of a payer beyond its share. A payer that has its share is passed over at once, or its rows would
 * hide those of the others that have waited for less.
 */
export const unassignedSql = (table: string, loose: string): string => `
  select space_id, id, due_at, place from (
    select *, sum(bytes) over (order by place, due_at, id) - bytes as bytes_before from (
      select due.*, row_number() over of_payer as place, coalesce(held.places, 0) as places_held,
        coalesce(held.bytes, 0) + sum(due.bytes) over of_payer - due.bytes as payer_bytes
      from (
        select space_id, id, run_at as due_at, bytes, ${PAYER} as payer from ${table} where ${loose}
          and ${PAYER} <> all(array(select payer from ${USED} where places >= $3 or bytes >= $4))
        order by run_at limit 4 * $1) due
      left join ${USED} on held.payer = due.payer
      window of_payer as (partition by due.payer order by due.due_at, due.id)) placed
    where place + places_held <= $3 and payer_bytes < $4) shared
  where bytes_before < $2`;
