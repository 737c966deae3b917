import {
  type EndedWorkers,
  LOSSES_COUNT_FOR,
  type Read,
  beginTrial,
  endedInOtherWork,
  isLongSeries,
  isTrial,
  noteEndedProcesses,
  processOf,
} from '@switchyard/database';

/**
 * How long suspect work runs without other suspect work in its process. A crash mostly happens at once, and long work
 * must not block all other suspects.
 */
const ALONE_FOR = `interval '2 seconds'`;

/** SQL: the row lost its worker today. It is taken up with no other such row, and its next loss may be its last. */
export const isSuspect = (row = '', losses = 'takeovers'): string =>
  `coalesce(${row}${losses} > 0 and ${row}lost_at > (select clock_timestamp()) - ${LOSSES_COUNT_FOR}, false)`;

/** Parameters of `releaseExpiredSql`. */
export const endedWorkersParams = ({ ended, own, isSilenceLoss }: EndedWorkers): unknown[] => [
  ended,
  own,
  isSilenceLoss,
];

interface LeasedTable {
  /** Column with the time from which on a row may be claimed. */
  dueAt?: string;
  /** A table of shorter leased work of the same service, which is to blame rather than this. */
  shorter?: string;
}

const isBlamed = (table: string, shorter: string | undefined): string => `held.is_alone
  and not ${endedInOtherWork('held.worker', table, { isLongLease: shorter !== undefined })}${
    shorter === undefined
      ? ''
      : ` and not exists (select 1 from ${shorter} beside where beside.worker = held.worker
    and (${isSuspect('beside.')} or not ${isLongSeries(table)}))`
  }`;

/**
 * Sets rows free whose worker has ended, and counts the loss. A second one counts only for a row that its process had
 * alone, and not if the process ended with other work too. Rows with `held` have a worker.
 * If a lease of the caller itself ran out, its row is set free and nothing is counted.
 */
export const releaseExpiredSql = (
  table: string,
  leased: string,
  { dueAt = 'run_at', shorter }: LeasedTable = {},
): string => `
  with held as (
    select space_id, id, worker, lease_until, ${isSuspect()} as is_suspect, 
      (case when ${isLongSeries(table)} then count(*) filter (where ${isSuspect()}) over (partition by worker)
        else count(*) over (partition by worker) end) = 1 as is_alone
    from ${table} where ${leased}),
  freed as (
    update ${table} e set worker = null, lease_until = null, ${dueAt} = clock_timestamp(),
      lost_at = case when e.worker = $2 then e.lost_at else clock_timestamp() end,
      takeovers = case when e.worker = $2 then e.takeovers when not held.is_suspect then 1
        when ${isBlamed(table, shorter)} then e.takeovers + 1 else e.takeovers end
    from held where e.space_id = held.space_id and e.id = held.id and e.worker = held.worker
      and ((held.lease_until < (select clock_timestamp()) and (held.worker = $2 or $3)) or held.worker = any($1::text[]))
    returning held.worker <> $2 as is_counted, held.is_suspect, ${isBlamed(table, shorter)} as is_blamed,
      ${processOf('held.worker')} as process),
  noted as (${noteEndedProcesses('(select process, is_suspect from freed where is_counted) ended', { isLongLease: shorter !== undefined })}),
  trial as (${beginTrial(table)})
  select 1 from freed`;

interface ClaimedRows {
  table: string;
  loose: string;
  held: string;
}

/** Whether processes take up one row that was lost, and nothing else. */
const isCareful = ({ table, loose, held: leased }: ClaimedRows): string => `
  ${isTrial(table)} and exists (select 1 from ${table} where ((${loose}) or (${leased})) and ${isSuspect()})`;

/** Finds a row while no fresh work may be taken. */
export const noFreshWork = (rows: ClaimedRows): Read => ({
  name: `no-fresh-${rows.table}`,
  params: [],
  sql: `select 1 where ${isCareful(rows)}`,
});

/**
 * `allowed` of a claim, and the row that waited longest of those that were lost, if none of them was just taken up
 * here. During a trial: that row alone, and only for a process that has no other.
 */
export const withSuspectSql = (rows: ClaimedRows, allowed: (loose: string) => string, worker: string): string => `
  careful as materialized (select ${isCareful(rows)} as is_careful),
  allowed as (
    select * from (${allowed(`${rows.loose} and not ${isSuspect()}`)}) fresh where not (select is_careful from careful)
    union all
    (select space_id, id, run_at as due_at, 0 as place from ${rows.table} where ${rows.loose} and ${isSuspect()}
       and not exists (select 1 from ${rows.table} beside where beside.${rows.held} and beside.worker = ${worker}
         and ((select is_careful from careful)
           or (${isSuspect('beside.')} and beside.taken_at > (select clock_timestamp()) - ${ALONE_FOR})))
     order by run_at limit 1))`;
