import { Injectable } from '@nestjs/common';
import type { Read, Tx } from '@switchyard/database';
import { type Held, KEPT_INPUT, type SettledTurn, type TurnRow } from './turns.repository';

/** Ten minutes in all: longer than a line to JetStream is broken, and shorter than a person waits. */
const DEFERRALS_MAX = 15;
const DEFER_SECONDS_MAX = 60;

const IS_LOST = `status = 'RUNNING' and lease_until < (select clock_timestamp())`;

/** Leases are kept by the database's clock alone: replicas need not agree on the time. */
@Injectable()
export class TurnLeasesRepository {
  renew(
    tx: Tx,
    owner: string,
    turns: readonly Held[],
    leaseSeconds: number,
  ): Promise<{ key: string; cancelRequested: boolean }[]> {
    return tx.query(
      `update turns t set lease_until = clock_timestamp() + make_interval(secs => $3)
       from json_to_recordset($2::json) as h(key uuid, epoch int)
       where t.id = h.key and t.epoch = h.epoch and t.owner = $1 and t.status = 'RUNNING'
       returning t.id as key, t.cancel_requested_at is not null as cancel_requested`,
      [owner, JSON.stringify(turns), leaseSeconds],
    );
  }

  /** Turns whose holder has gone or that wait for one. Two replicas never get the same. */
  claim(
    tx: Tx,
    { owner, limit, gone }: { owner: string; limit: number; gone: readonly string[] },
    leaseSeconds: number,
  ): Promise<(TurnRow & { wokenFor: string | null })[]> {
    return tx.query(
      `with due as (
         select space_id, id, claim_reason from turns
         where status = 'RUNNING' and (lease_until < (select clock_timestamp()) or owner = any($4))
         order by lease_until limit $2 for update skip locked)
       update turns t set owner = $1, epoch = t.epoch + 1, claim_reason = null,
         recoveries = t.recoveries + case when due.claim_reason is null then 1 else 0 end,
         lease_until = clock_timestamp() + make_interval(secs => $3)
       from due where t.space_id = due.space_id and t.id = due.id
       returning t.*, due.claim_reason as woken_for`,
      [owner, limit, leaseSeconds, gone],
    );
  }

  async holders(tx: Tx, except: string): Promise<string[]> {
    const rows = await tx.query<{ owner: string }>(
      `select distinct owner from turns where status = 'RUNNING' and owner <> $1 limit 100`,
      [except],
    );
    return rows.map(({ owner }) => owner);
  }

  release(tx: Tx, turns: readonly Held[]): Promise<number> {
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
  defer(tx: Tx, { key, epoch }: Held, reason: string): Promise<number> {
    return tx.count(
      `update turns set owner = null, claim_reason = $3, deferrals = deferrals + 1,
         lease_until = clock_timestamp() + make_interval(secs => least($5, power(2, deferrals)))
       where id = $1 and epoch = $2 and status = 'RUNNING' and owner is not null and deferrals < $4`,
      [key, epoch, reason, DEFERRALS_MAX, DEFER_SECONDS_MAX],
    );
  }

  readonly anyLost: Read = {
    name: 'any-turn-lost',
    params: [],
    sql: `select 1 from turns where ${IS_LOST} limit 1`,
  };

  /** A turn that kills every replica that takes it is ended here, without one. */
  failHopeless(tx: Tx, recoveries: number, error: { code: string; message: string }): Promise<SettledTurn[]> {
    return tx.query<SettledTurn>(
      `update turns set status = 'FAILED', error = $2, state = null, input = ${KEPT_INPUT}, owner = null, lease_until = null,
         finished_at = clock_timestamp()
       where ${IS_LOST} and recoveries >= $1 returning space_id, turn_id, input`,
      [recoveries, JSON.stringify(error)],
    );
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
