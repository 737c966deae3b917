/** SQL: the process part of a worker's name, if any. */
export const processOf = (worker: string): string => `nullif(split_part(${worker}, '@', 2), '')`;

/** Notes of processes that ended in their work. */
export const ENDED_PROCESS = 'ended process';
/** The same, of leased work of a service that has shorter leased work too: it excuses no shorter work. */
export const ENDED_IN_LONG_LEASE = 'ended process, long lease';
/** Losses of one process are counted within this time: leases expire apart, and rows may be locked for a while. */
export const ENDING = `interval '10 minutes'`;

/**
 * SQL: notes the processes that ended in their work; rows of `ended` say `process` and `is_suspect`, which is null
 * for requests. A later loss of the same work by another process leaves the note as it is.
 */
export const noteEndedProcesses = (ended: string, { isLongLease = false } = {}): string => `
  insert into lost_work as noted (kind, id, losses, lost_by)
    select '${isLongLease ? ENDED_IN_LONG_LEASE : ENDED_PROCESS}', md5(process)::uuid, 1 + max(coalesce(is_suspect::int, -1)), process from ${ended}
     where process is not null group by process order by process
  on conflict (kind, id) do update set lost_at = clock_timestamp(), losses = greatest(noted.losses, excluded.losses)`;
