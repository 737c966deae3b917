/** How much a claim of events may take: all of it is in memory together. */
export interface ClaimLimit {
  rows: number;
  bytes: number;
}

/** SQL: bytes of an event's data. Only what is compressed has to be read for it. */
export const weightOf = (data: string): string =>
  `case when pg_column_compression(${data}) is null then pg_column_size(${data}) else octet_length(${data}::text) end`;

/** SQL: the ids of `events` (`id, place`, and what `bytes` reads) in their order, as many as have `most` together, and always the first. */
export const upToBytes = (most: string, bytes: string, events: string): string => `
  select id from (
    select id, place, sum(bytes) over (order by place) as until
      from (select id, place, ${bytes} as bytes from (${events}) chosen) weighed) summed
   where place = 1 or until <= ${most}`;
