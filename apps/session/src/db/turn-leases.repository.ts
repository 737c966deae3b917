import { Injectable } from '@nestjs/common';
import {
  LOSSES_MAX,
  type EndedWorkers,
  type Read,
  type RetryOutcome,
  type Tx,
  beginTrial,
  isSeries,
  isTrial,
  notRetried,
} from '@switchyard/database';
import { isSuspect } from '@switchyard/service';
import { type LeaseRef, IS_STORED, KEEP_TO_RETRY, type SettledTurn, type TurnRow } from './turns.repository';

/** Ten minutes in all: longer than a line to JetStream is broken, and shorter than a person waits. */
const DEFERRALS_MAX = 15;
const DEFER_SECONDS_MAX = 60;

/** How long a turn that was lost once runs with no other such turn beside it in its process. */
const ALONE_FOR = `interval '1 second'`;

const IS_EXPIRED = `status = 'RUNNING' and lease_until < (select clock_timestamp())`;
/** Said by the holder itself at the beginning of its stop: a claim takes the reason away. */
const WAS_STOPPED = `t.claim_reason is not distinct from 'released'`;
/** As its process said of a turn that was lost before. */
const runsWithRequests = (row = ''): string =>
  `coalesce(${row}claim_reason in ('beside requests', 'waiting beside requests'), false)`;
const isWaiting = (row = ''): string => `coalesce(${row}claim_reason in ('waiting', 'waiting beside requests'), false)`;
/** Rows of earlier versions name a turn by the id that its Space knows. */
const IS_GIVEN = '(id = $2 or turn_id = $2)';
const suspect = (row = ''): string => isSuspect(row, 'recoveries');

export interface GivenUpTurn extends SettledTurn {
  key: string;
  /** How often it had lost its process. */
  losses: number;
}

interface TurnLeaseRenewal {
  owner: string;
  turns: readonly LeaseRef[];
  isStopping?: boolean;
  hasRequests?: boolean;
  areWaiting?: boolean;
}

/** Leases are kept by the database's clock alone: replicas need not agree on the time. */
@Injectable()
export class TurnLeasesRepository {
  /**
   * The turns of a process that stops are marked as released while it still holds them, and suspects beside which requests
   * run, or that wait, as such.
   */
  renew(
    tx: Tx,
    { owner, turns, isStopping = false, hasRequests = false, areWaiting }: TurnLeaseRenewal,
    leaseSeconds: number,
  ): Promise<{ key: string; cancelRequested: boolean }[]> {
    return tx.query(
      `update turns t set lease_until = clock_timestamp() + make_interval(secs => $3),
         claim_reason = case when $4 then 'released' when not $5 and $6::bool is null then t.claim_reason
           else nullif(concat_ws(' ', case when coalesce($6, ${isWaiting('t.')}) then 'waiting' end,
             case when $5 or ${runsWithRequests('t.')} then 'beside requests' end), '') end
       from json_to_recordset($2::json) as h(key uuid, epoch int)
       where t.id = h.key and t.epoch = h.epoch and t.owner = $1 and t.status = 'RUNNING'
       returning t.id as key, t.cancel_requested_at is not null as cancel_requested`,
      [owner, JSON.stringify(turns), leaseSeconds, isStopping, hasRequests, areWaiting ?? null],
    );
  }

  /**
   * Takes turns from holders that have ended, and counts the loss. With `isSilenceLoss` a lease that ran out says that. A
   * second one counts only for a turn that no other lost turn ran beside, and if no fresh turn began after it, and no
   * request: those could as well be to blame. They excuse one loss. Beside a lost turn that runs, those that wait are not
   * to blame; one that waits alone is.
   * A holder that stopped in order loses nothing, also where it could not give its turns back any more.
   */
  noteExpired(tx: Tx, { ended, isSilenceLoss }: Omit<EndedWorkers, 'own'>): Promise<number> {
    return tx.count(
      `with running as (
         select space_id, id, owner, lease_until, taken_at, started_at, claim_reason, ${suspect()} as is_suspect, ${isWaiting()} as is_waiting
         from turns where status = 'RUNNING' and owner is not null),
       held as (
         select *, count(*) filter (where is_suspect) over (partition by owner, is_waiting) = 1
           and not (is_waiting and count(*) filter (where is_suspect) over (partition by owner) > 1)
           and (${isSeries('turns')} or not (${runsWithRequests()} or exists (
             select 1 from running later where later.owner = running.owner and not later.is_suspect
               and coalesce(later.taken_at, later.started_at) > running.taken_at))) as is_blamed
         from running),
       freed as (
       update turns t set owner = null,
         claim_reason = case when ${WAS_STOPPED} then 'released' else 'lost' end,
         lost_at = case when ${WAS_STOPPED} then t.lost_at else clock_timestamp() end,
         lease_until = least(t.lease_until, clock_timestamp()),
         recoveries = case when ${WAS_STOPPED} then t.recoveries when not held.is_suspect then 1 when held.is_blamed then t.recoveries + 1 else t.recoveries end
       from held where t.space_id = held.space_id and t.id = held.id and t.owner = held.owner
         and (held.owner = any($1) or (held.lease_until < (select clock_timestamp()) and ($2 or ${WAS_STOPPED})))
       returning t.claim_reason = 'lost' as is_counted, held.is_suspect, held.is_blamed),
       trial as (${beginTrial('turns')})
       select 1 from freed`,
      [ended, isSilenceLoss],
    );
  }

  /**
   * Turns that wait for a holder; of those that were lost, one at a time. While it shows whether it ends its process, and
   * until it waits for its host, no other turn is claimed beside it. With `othersFirst` such a turn comes only if no other waits, except during a trial.
   * The Space with the fewest of them in progress comes first, and of several such Spaces any one, so that many lost turns
   * of a Space do not delay those of others. Two replicas never get the same, nor wait for each other.
   */
  claim(
    tx: Tx,
    { owner, limit, othersFirst }: { owner: string; limit: number; othersFirst: boolean },
    leaseSeconds: number,
  ): Promise<(TurnRow & { wokenFor: string | null; isSuspect: boolean })[]> {
    const waits = `${IS_EXPIRED} and owner is null and not exists (select 1 from beside)`;
    const others = `select space_id, id, claim_reason, false as is_suspect from turns where ${waits} and not ${suspect()}`;
    const oldest = `order by lease_until limit $2 for update skip locked`;
    return tx.query(
      `with beside as materialized (
         select 1 from turns beside where beside.status = 'RUNNING' and beside.owner = $1 and ${suspect('beside.')}
           and ((${isTrial('turns')} and not ${isWaiting('beside.')}) or beside.taken_at > (select clock_timestamp()) - ${ALONE_FOR}) limit 1),
       first as materialized (${others} and $4 and not ${isTrial('turns')} ${oldest}),
       running as materialized (
         select space_id, count(*) as suspects from turns where status = 'RUNNING' and owner is not null and ${suspect()} group by 1),
       suspect as materialized (
         select turns.space_id, id, claim_reason, true as is_suspect
         from turns left join running on running.space_id = turns.space_id
         where ${waits} and ${suspect()} and not exists (select 1 from first)
         order by coalesce(suspects, 0), hashtextextended(turns.space_id::text, (select (random() * 1e9)::bigint)), lease_until
         limit 1 for update of turns skip locked),
       last as materialized (${others} and not exists (select 1 from first) and not exists (select 1 from suspect) ${oldest}),
       locked as (select * from first union all select * from suspect union all select * from last)
       update turns t set owner = $1, epoch = t.epoch + 1, claim_reason = null, taken_at = clock_timestamp(),
         lease_until = clock_timestamp() + make_interval(secs => $3)
       from locked where t.space_id = locked.space_id and t.id = locked.id
       returning t.*, locked.claim_reason as woken_for, locked.is_suspect`,
      [owner, limit, leaseSeconds, othersFirst],
    );
  }

  /** Before its process reads an answer of its host, which may be what ends it. */
  async endWait(tx: Tx, { key, epoch }: LeaseRef): Promise<void> {
    await tx.run(
      `update turns t set claim_reason = case when ${runsWithRequests('t.')} then 'beside requests' end
       where id = $1 and epoch = $2 and ${isWaiting('t.')}`,
      [key, epoch],
    );
  }

  async holders(tx: Tx, except: string): Promise<string[]> {
    const rows = await tx.query<{ owner: string }>(
      `select distinct owner from turns where status = 'RUNNING' and owner <> $1 limit 100`,
      [except],
    );
    return rows.map(({ owner }) => owner);
  }

  release(tx: Tx, turns: readonly LeaseRef[]): Promise<number> {
    return tx.count(
      `update turns t set owner = null, claim_reason = 'released', lease_until = clock_timestamp()
       from json_to_recordset($1::json) as h(key uuid, epoch int)
       where t.id = h.key and t.epoch = h.epoch and t.status = 'RUNNING' and t.owner is not null`,
      [JSON.stringify(turns)],
    );
  }

  /**
   * Later each time, and no recovery: its holder lives. A turn that stays unreadable is not put off for ever: from some
   * time on its lease runs out instead, which counts.
   */
  defer(tx: Tx, { key, epoch }: LeaseRef, reason: string): Promise<number> {
    return tx.count(
      `update turns set owner = null, claim_reason = $3, deferrals = deferrals + 1,
         lease_until = clock_timestamp() + make_interval(secs => least($5, power(2, deferrals)))
       where id = $1 and epoch = $2 and status = 'RUNNING' and owner is not null and deferrals < $4`,
      [key, epoch, reason, DEFERRALS_MAX, DEFER_SECONDS_MAX],
    );
  }

  /** Without one there is nothing to count, to claim or to hold. */
  readonly anyRunning: Read = {
    name: 'any-turn-running',
    params: [],
    sql: `select 1 from turns where status = 'RUNNING' limit 1`,
  };

  readonly anyExpired: Read = {
    name: 'any-turn-lost',
    params: [],
    sql: `select 1 from turns where ${IS_EXPIRED} limit 1`,
  };

  /**
   * Ends turns that were lost too often, here and without a holder. Their input stays, because an operator may
   * want them tried again; of unstored turns nothing stays. It reads where they
   * came from, not what was asked.
   */
  failExpired(tx: Tx, error: { code: string; message: string }): Promise<GivenUpTurn[]> {
    return tx.query<GivenUpTurn>(
      `update turns set status = 'FAILED', error = $2, ${KEEP_TO_RETRY}, lease_until = null, finished_at = clock_timestamp()
       where status = 'RUNNING' and owner is null and claim_reason = 'lost' and recoveries >= $1 and lost_at is not null
       returning space_id, id as key, turn_id, json_build_object('source', input->'source') as input, recoveries as losses`,
      [LOSSES_MAX, JSON.stringify(error)],
    );
  }

  /** By an operator: from its last checkpoint on. Refused if it has not ended so, has none, or its session has another turn by now. */
  async startAgain(tx: Tx, spaceId: string, key: string): Promise<RetryOutcome> {
    const again = await tx.count(
      `update turns t set status = 'RUNNING', error = null, finished_at = null, claim_reason = 'lost', recoveries = 0, lost_at = null,
         lease_until = clock_timestamp()
       where space_id = $1 and ${IS_GIVEN} and status = 'FAILED' and recoveries >= $3 and ${IS_STORED} and not exists (
         select 1 from turns other where other.space_id = $1 and other.session_id = t.session_id
           and other.status in ('RUNNING', 'WAITING_INPUT'))`,
      [spaceId, key, LOSSES_MAX],
    );
    const found = `select 1 from turns where space_id = $1 and ${IS_GIVEN}`;
    return again > 0 ? 'again' : notRetried(tx, found, [spaceId, key]);
  }

  /** Records of turns that belonged to no session. */
  purgeStateless(tx: Tx, olderThanHours: number, limit: number): Promise<number> {
    return tx.count(
      `delete from turns where (space_id, id) in (
         select space_id, id from turns where session_id is null and finished_at < now() - make_interval(hours => $1) limit $2)`,
      [olderThanHours, limit],
    );
  }
}
