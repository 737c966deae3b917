import type { Tx } from '../transactions/transaction';

/** A series of losses that blamed no row ends with a pause this long. */
const SERIES = `interval '10 minutes'`;
const TRIAL_SECONDS = 30;
/** How often the time of a trial doubles. */
const DOUBLINGS_MAX = 2;
const TRIAL_ID = '00000000-0000-0000-0000-000000000000';
export const TRIAL = 'trial of ';
const trialKind = (of: string): string => `${TRIAL}${of}`;

/** Work that a process had when it ended. */
export interface LossOfWork {
  /** It had lost a process before. */
  isSuspect: boolean;
  /** The loss counts as its second one. */
  isBlamed: boolean;
}

/**
 * SQL: such work was lost a short while ago and none was blamed. Until the time is over, each process takes up one
 * suspect and nothing else, so that the next loss shows which one causes it. The time doubles with each further loss
 * that shows nothing.
 */
export const isTrial = (of: string): string => `exists (
  select 1 from lost_work where kind = '${trialKind(of)}'
    and lost_at > (select clock_timestamp()) - make_interval(secs => ${TRIAL_SECONDS} * power(2, least(losses - 1, ${DOUBLINGS_MAX}))))`;

/**
 * SQL, rows of `freed` say `is_counted`, `is_suspect` and `is_blamed`: begins a trial, unless the loss is explained.
 */
export const beginTrial = (of: string): string => `
  insert into lost_work as trial (kind, id, losses) select '${trialKind(of)}', '${TRIAL_ID}', 1
   where exists (select 1 from freed where is_counted and not (is_suspect and is_blamed))
  on conflict (kind, id) do update set lost_at = clock_timestamp(),
    losses = case when trial.lost_at < (select clock_timestamp()) - ${SERIES} then 1
      when exists (select 1 from freed where is_counted and is_suspect and not is_blamed) then least(trial.losses, ${DOUBLINGS_MAX}) + 1
      else trial.losses end`;

const hasMoreThan = (losses: number, of: string): string => `exists (
  select 1 from lost_work where kind = '${trialKind(of)}' and losses > ${losses}
    and lost_at > (select clock_timestamp()) - ${SERIES})`;

/** SQL: a loss of work that ran alone was not explained: requests that run beside such work explain no further one. */
export const isSeries = (of: string): string => hasMoreThan(1, of);

/** SQL: so many losses in a row were not explained that work counts as lost alone if no other suspect ran beside it. */
export const isLongSeries = (of: string): string => hasMoreThan(DOUBLINGS_MAX, of);

/** As `beginTrial`, of losses that were counted one by one. */
export async function tryLosses(tx: Tx, of: string, losses: readonly LossOfWork[]): Promise<void> {
  if (losses.length === 0) return;
  await tx.run(
    `with freed as (select true as is_counted, is_suspect, is_blamed from unnest($1::bool[], $2::bool[]) as loss (is_suspect, is_blamed))
     ${beginTrial(of)}`,
    [losses.map(({ isSuspect }) => isSuspect), losses.map(({ isBlamed }) => isBlamed)],
  );
}
