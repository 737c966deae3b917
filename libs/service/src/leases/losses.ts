import { LOSSES_COUNT_FOR, type EndedWorkers, endedInMarkedWork } from '@switchyard/database';

/**
 * How long what was lost once runs with no other such row beside it in its process. Whatever ends a process does so at
 * once, mostly; and long work must not keep all others waiting that were lost with it.
 */
const ALONE_FOR = `interval '2 seconds'`;

/** SQL: the row lost its worker today. It is taken up with no other such row, and its next loss may be its last. */
export const isSuspect = (row = '', losses = 'takeovers'): string =>
  `coalesce(${row}${losses} > 0 and ${row}lost_at > (select clock_timestamp()) - ${LOSSES_COUNT_FOR}, false)`;

/** Heard of after so long, a row has not ended its process at once. */
const TRIAL = `interval '4 seconds'`;

/**
 * SQL, columns of rows with a worker: whether another loss of this row is its own. It had no other row beside it that was
 * lost before, or it was the last of them to be taken up, and its process was not heard of any more after that.
 */
export const isBlamed = ({
  worker,
  losses,
  leaseSeconds,
}: {
  worker: string;
  losses: string;
  leaseSeconds: number | string;
}): string => `
  (count(*) filter (where ${isSuspect('', losses)}) over (partition by ${worker}) = 1
   or (row_number() over (partition by ${worker} order by ${isSuspect('', losses)} desc, taken_at desc nulls last) = 1
     and lease_until - make_interval(secs => ${leaseSeconds}) - taken_at < ${TRIAL})) as is_blamed`;

/** Parameters of `releaseLostSql`. */
export const endedWorkersParams = ({ ended, own, isSilenceLoss }: EndedWorkers): unknown[] => [
  ended,
  own,
  isSilenceLoss,
];

/**
 * Sets rows free whose worker has ended, and counts the loss. A second one counts only for the row that is to blame
 * (`isBlamed`), and not where the process had something else in its hands that is marked. Rows with `held` have a worker.
 * If a lease of the caller itself ran out, its row is set free and nothing is counted.
 */
export const releaseLostSql = (table: string, held: string, leaseSeconds: number): string => `
  with held as (
    select space_id, id, worker, lease_until, ${isBlamed({ worker: 'worker', losses: 'takeovers', leaseSeconds })}
    from ${table} where ${held})
  update ${table} e set worker = null, lease_until = null, run_at = clock_timestamp(), 
    lost_at = case when e.worker = $2 then e.lost_at else clock_timestamp() end,
    takeovers = case when e.worker = $2 then e.takeovers when not ${isSuspect('e.')} then 1
      when held.is_blamed and not ${endedInMarkedWork('e.worker')} then e.takeovers + 1 else e.takeovers end
  from held where e.space_id = held.space_id and e.id = held.id and e.worker = held.worker
    and ((held.lease_until < (select clock_timestamp()) and (held.worker = $2 or $3)) or held.worker = any($1::text[]))`;

/** `allowed` of a claim, and the row that waited longest of those that were lost, if none of them was just taken up here. */
export const withSuspectSql = (
  table: string,
  allowed: (loose: string) => string,
  { loose, held, worker }: { loose: string; held: string; worker: string },
): string => `
  allowed as (${allowed(`${loose} and not ${isSuspect()}`)}
    union all
    (select space_id, id, run_at as due_at, 0 as place from ${table} where ${loose} and ${isSuspect()}
       and not exists (select 1 from ${table} beside where beside.${held} and beside.worker = ${worker}
         and ${isSuspect('beside.')} and beside.taken_at > (select clock_timestamp()) - ${ALONE_FOR})
     order by run_at limit 1))`;
