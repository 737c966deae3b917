import {
  type EndedWorkers,
  LOSSES_MAX,
  type LostWorkRow,
  type Read,
  type RetryOutcome,
  type Tx,
  isLongSeries,
  notRetried,
} from '@switchyard/database';
import { endedWorkersParams, isSuspect, releaseExpiredSql } from '../leases';
import type { Delivery, QueueCapacity } from './delivery-runner';
import type { AttemptResult } from './webhook-request';

/** Longer than an attempt can take, with the look-up of its secrets. */
export const DELIVERY_LEASE = `interval '60 seconds'`;
/** If suspects end their process they mostly do it at once: this long, one of them runs without another. */
const ALONE_FOR = `interval '2 seconds'`;
/** Earlier ones are counted. */
const ATTEMPTS_SHOWN = 10;
const NOW = '(select clock_timestamp())';

/** SQL of a table with deliveries. It has the columns `worker`, `lease_until`, `taken_at`, `lost_at` and `takeovers`. */
export interface DeliveryTable {
  table: string;
  /** Of one of them, as operators see it if it ends processes. */
  kind: string;
  /** Columns that name a queue, the Space first; an index has them, then `dueAt`, of open deliveries. */
  queue: readonly string[];
  dueAt: string;
  /** How large one is. */
  bytes: string;
  attemptCount: string;
  /** JSON, the latest ones. */
  attemptLog: string;
  /** Condition of a row that has not ended; `row` is empty or an alias with a dot. */
  isOpen: (row: string) => string;
  /** Condition of a row that has failed for good. */
  hasFailed: string;
  /** Assignments of a claim, beside the lease. */
  onClaim?: string;
  /** Assignments that end a delivery that ended too many processes. */
  onCrashed: string;
  /** Assignments that open a failed one again. */
  onAgain: string;
}

/** The limits of a claim, and its result. */
interface Claim {
  /**
   * Selects `space_id` and `id` of the queues, `slots`, `max_bytes` and `lease` of each, and the columns that `select` reads.
   * Parameters: $1 Spaces, $2 ids, $3 slots and $4 bytes of the queues.
   */
  capacities: string;
  /** Columns of a claimed row beside those of `Delivery`. */
  columns: readonly string[];
  /** A select from `claimed` and `capacities`. */
  select: string;
}

interface Settlement {
  /** Null: it was not sent, and counts as no attempt. */
  attempt: AttemptResult | null;
  /** Null: there is no other one. */
  nextInMs: number | null;
}

/**
 * Deliveries in a table of the service: how they are claimed, leased, recorded, set free and abandoned.
 * Hot path: SQL on `pg`, prepared by name.
 */
export class DeliveryRows {
  /** SQL: the row may be claimed now. */
  readonly isDue: string;
  readonly anyDue: Read;
  readonly anyLeased: Read;
  /** SQL: `queues` with the time of each queue's next delivery, by a step in the index from one to the next. */
  readonly queues: string;

  constructor(private readonly rows: DeliveryTable) {
    const { table, kind } = rows;
    this.isDue = isDue(rows);
    this.anyDue = { name: `any-${kind}-due`, params: [], sql: `select 1 from ${table} where ${this.isDue} limit 1` };
    this.anyLeased = {
      name: `any-${kind}-leased`,
      params: [],
      sql: `select 1 from ${table} where worker is not null limit 1`,
    };
    this.queues = queuesSql(rows);
  }

  /** SQL of `claim`. */
  claimSql(claim: Claim): string {
    return claimSql(this.rows, claim);
  }

  claim<Claimed extends Delivery>(
    tx: Tx,
    sql: string,
    worker: string,
    capacities: readonly QueueCapacity[],
  ): Promise<Claimed[]> {
    return tx.prepared<Claimed>(`claim-${this.rows.table}`, sql, [
      capacities.map(({ spaceId }) => spaceId),
      capacities.map(({ queueId }) => queueId),
      capacities.map(({ slots }) => slots),
      capacities.map(({ bytes }) => bytes),
      worker,
    ]);
  }

  async workersHolding(tx: Tx): Promise<string[]> {
    const rows = await tx.query<{ worker: string }>(
      `select distinct worker from ${this.rows.table} where worker is not null`,
    );
    return rows.map((row) => row.worker);
  }

  releaseLapsed(tx: Tx, workers: EndedWorkers): Promise<number> {
    const { table, dueAt } = this.rows;
    return tx.count(releaseExpiredSql(table, 'worker is not null', { dueAt }), endedWorkersParams(workers));
  }

  failCrashed(tx: Tx): Promise<Omit<LostWorkRow, 'at'>[]> {
    const { table, kind, isOpen, onCrashed } = this.rows;
    return tx.query(
      `update ${table} set ${onCrashed}
        where ${isOpen('')} and worker is null and takeovers >= ${LOSSES_MAX} and ${isSuspect()}
        returning '${kind}' as kind, id, space_id, takeovers as losses`,
    );
  }

  /** By an operator: all of its attempts again. */
  async startAgain(tx: Tx, spaceId: string, id: string): Promise<RetryOutcome> {
    const { table, attemptCount, dueAt, hasFailed, onAgain } = this.rows;
    const again = await tx.count(
      `update ${table} set ${onAgain}, takeovers = 0, lost_at = null, ${attemptCount} = 0, ${dueAt} = clock_timestamp()
        where space_id = $1 and id = $2 and ${hasFailed}`,
      [spaceId, id],
    );
    const found = `select 1 from ${table} where space_id = $1 and id = $2`;
    return again > 0 ? 'again' : notRetried(tx, found, [spaceId, id]);
  }

  /**
   * Ends the lease. `assignments` store the outcome, with the parameters from $6 on. False if the lease is another's by
   * now: the attempt was made all the same.
   */
  async settle(
    tx: Tx,
    worker: string,
    { spaceId, id }: Delivery,
    { attempt, nextInMs }: Settlement,
    { assignments, params }: { assignments: string; params: readonly unknown[] },
  ): Promise<boolean> {
    const { table, attemptCount, attemptLog, dueAt, isOpen } = this.rows;
    const settled = await tx.prepared(
      `settle-${table}`,
      `update ${table} set ${assignments}, worker = null, lease_until = null, takeovers = 0, lost_at = null,
         ${attemptCount} = ${attemptCount} + case when $4::jsonb is null then 0 else 1 end,
         ${attemptLog} = case when $4::jsonb is null then ${attemptLog}
           else case when jsonb_array_length(${attemptLog}) >= ${ATTEMPTS_SHOWN} then ${attemptLog} - 0 else ${attemptLog} end || $4::jsonb end,
         ${dueAt} = clock_timestamp() + make_interval(secs => coalesce($5::float8, 0) / 1000)
        where space_id = $1 and id = $2 and worker = $3 and ${isOpen('')} returning 1`,
      [spaceId, id, worker, attempt && JSON.stringify([recorded(attempt)]), nextInMs, ...params],
    );
    return settled.length > 0;
  }
}

const recorded = ({ at, status, durationMs, error }: AttemptResult): Omit<AttemptResult, 'retryAfterMs'> => ({
  at,
  status,
  durationMs,
  error,
});

const isDue = ({ isOpen, dueAt }: DeliveryTable, row = ''): string =>
  `${isOpen(row)} and ${row}worker is null and ${row}${dueAt} <= ${NOW}`;

const prefixed = (columns: readonly string[], row: string): string =>
  columns.map((column) => `${row}${column}`).join(', ');

function queuesSql({ table, queue, dueAt, isOpen }: DeliveryTable): string {
  const order = prefixed([...queue, dueAt], 'd.');
  const next = (after: string): string => `
    (select ${order} from ${table} d where ${isOpen('d.')} and d.worker is null ${after} order by ${order} limit 1)`;
  return `
  with recursive queues as (
    ${next('')}
    union all
    select next.* from queues cross join lateral ${next(`and (${prefixed(queue, 'd.')}) > (${prefixed(queue, 'queues.')})`)} next)`;
}

/**
 * The longest waiting ones of each queue, the first always, however large it is. Deliveries that were lost with their
 * process are claimed one at a time, and with no other.
 */
function claimSql(rows: DeliveryTable, { capacities, columns, select }: Claim): string {
  const { table, queue, dueAt, bytes, onClaim } = rows;
  const ofQueue = `d.space_id = capacities.space_id and d.${queue.at(-1) ?? 'space_id'} = capacities.id`;
  const mayTakeSuspect = `not exists (select 1 from ${table} beside where beside.worker = $5 and ${isSuspect('beside.')}
    and (${isLongSeries(table)} or beside.taken_at > ${NOW} - ${ALONE_FOR}))`;
  return `
  with capacities as materialized (${capacities}),
  suspects as materialized (
    select due.space_id, due.id, capacities.lease from capacities cross join lateral (
      select d.space_id, d.id, d.${dueAt} as due_at from ${table} d
       where ${ofQueue} and ${isDue(rows, 'd.')} and ${isSuspect('d.')} and capacities.slots > 0
       order by d.${dueAt} limit 1) due
     where ${mayTakeSuspect}
     order by due.due_at limit 1),
  fresh as (
    select due.space_id, due.id, capacities.lease from capacities cross join lateral (
      select space_id, id, bytes, sum(bytes) over (order by due_at, id) - bytes as before from (
        select d.space_id, d.id, ${bytes} as bytes, d.${dueAt} as due_at from ${table} d
         where ${ofQueue} and ${isDue(rows, 'd.')} and not ${isSuspect('d.')}
         order by d.${dueAt} limit greatest(0, capacities.slots)
         for update skip locked) found) due
     where (due.before = 0 or due.before + due.bytes <= capacities.max_bytes) and not exists (select 1 from suspects)),
  chosen as (select space_id, id, lease from fresh union all select space_id, id, lease from suspects),
  claimed as (
    update ${table} d set worker = $5, lease_until = clock_timestamp() + chosen.lease, taken_at = clock_timestamp()${onClaim ? `, ${onClaim}` : ''}
      from chosen where d.space_id = chosen.space_id and d.id = chosen.id and ${isDue(rows, 'd.')}
    returning d.space_id, d.id, ${prefixed(columns, 'd.')}, ${bytes} as bytes, ${isSuspect('d.')} as is_suspect)
  ${select}`;
}
