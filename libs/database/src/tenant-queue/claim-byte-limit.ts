/** Byte limit of a claim, which is in memory as a whole. */
export interface ClaimLimit {
  rows: number;
  bytes: number;
}

/** SQL: size of an event's data. Only compressed data has to be read for it. */
export const weightOf = (data: string): string =>
  `case when pg_column_compression(${data}) is null then pg_column_size(${data}) else octet_length(${data}::text) end`;

/** SQL: the first `events` (`id, place`, and the columns for `bytes`) up to `most` bytes, at least one. */
export const upToBytes = (most: string, bytes: string, events: string): string => `
  select id from (
    select id, place, sum(bytes) over (order by place) as until
      from (select id, place, ${bytes} as bytes from (${events}) chosen) weighed) summed
   where place = 1 or until <= ${most}`;
