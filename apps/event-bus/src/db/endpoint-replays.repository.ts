import { Injectable } from '@nestjs/common';
import { MAX_REPLAYED, type ReplayedStatus } from '@switchyard/contracts';
import type { Read, Tx } from '@switchyard/database';
import { FIRST_OUTCOME } from './first-outcome';

export interface ReplayRef {
  spaceId: string;
  id: string;
  endpointId: string;
}

interface NewReplay extends ReplayRef {
  from: string;
  /** Null for no end. */
  to: string | null;
  status: ReplayedStatus;
}

export interface ReplayProgress {
  matched: number;
  isFinished: boolean;
}

/** Times are text, so that no microsecond is lost. */
interface Position {
  time: string;
  envelopeId: string;
}

interface Piece {
  status: ReplayedStatus;
  afterTime: string;
  afterEnvelope: string;
  beforeTime: string;
  matched: number;
  hasEndpoint: boolean;
}

/** Of a replay that no process has advanced for this long, another one makes the rest. */
const LEASE = `interval '15 seconds'`;
/** An id after all others. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** A UUIDv7, as ids of rows are: they grow with time. */
const NEW_ID = `(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
  || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;
/** Ended deliveries behind a position. The first condition on the status chooses them, the second one the index. */
const BEHIND = `d.space_id = $1 and d.endpoint_id = $2 and d.status = $3 and d.status <> 'PENDING'
  and (d.emitted_at, d.envelope_id) > ($4::timestamptz, $5::uuid) and d.emitted_at < $6::timestamptz`;

/**
 * Replays of ranges to endpoints. Each piece is a transaction that adds deliveries and moves the position behind them,
 * so that a replay goes on where a process has died.
 */
@Injectable()
export class EndpointReplaysRepository {
  readonly anyUnfinished: Read = {
    name: 'any-endpoint-replay-unfinished',
    params: [],
    sql: 'select 1 from endpoint_replays where finished_at is null limit 1',
  };

  async add(tx: Tx, { spaceId, id, endpointId, from, to, status }: NewReplay): Promise<void> {
    await tx.run(
      `insert into endpoint_replays (space_id, id, endpoint_id, status, after_time, before_time, lease_until)
       values ($1, $2, $3, $4, $5, coalesce($6::timestamptz, 'infinity'), clock_timestamp() + ${LEASE})`,
      [spaceId, id, endpointId, status, from, to],
    );
  }

  find(tx: Tx, { spaceId, id }: ReplayRef): Promise<ReplayProgress | null> {
    return tx.one<ReplayProgress>(
      'select matched, finished_at is not null as is_finished from endpoint_replays where space_id = $1 and id = $2',
      [spaceId, id],
    );
  }

  async countUnfinished(tx: Tx, spaceId: string, endpointId: string): Promise<number> {
    const row = await tx.one<{ count: number }>(
      'select count(*)::int as count from endpoint_replays where space_id = $1 and endpoint_id = $2 and finished_at is null',
      [spaceId, endpointId],
    );
    return row?.count ?? 0;
  }

  /** Of all Spaces. */
  async countAllUnfinished(tx: Tx): Promise<number> {
    const row = await tx.one<{ count: number }>(
      'select count(*)::int as count from endpoint_replays where finished_at is null',
      [],
    );
    return row?.count ?? 0;
  }

  /**
   * Reads the next `size` ended deliveries and adds one for each that is the latest of its envelope; gives their number.
   * Null if the replay has ended, or if another process makes a piece of it.
   */
  async advance(tx: Tx, ref: ReplayRef, size: number): Promise<number | null> {
    const { spaceId, id, endpointId } = ref;
    const piece = await tx.one<Piece>(
      `select status, after_time::text, after_envelope, before_time::text, matched,
              exists (select 1 from endpoints e where e.space_id = $1 and e.id = $3) as has_endpoint
         from endpoint_replays where space_id = $1 and id = $2 and finished_at is null for update skip locked`,
      [spaceId, id, endpointId],
    );
    if (piece === null) return null;
    const range = [spaceId, endpointId, piece.status, piece.afterTime, piece.afterEnvelope, piece.beforeTime];
    const last = await tx.one<Position>(
      `select d.emitted_at::text as time, d.envelope_id from endpoint_deliveries d where ${BEHIND}
        order by d.emitted_at, d.envelope_id offset $7 limit 1`,
      [...range, size - 1],
    );
    const until = last ?? { time: piece.beforeTime, envelopeId: LAST_ID };
    const added = await tx.count(ADD_PIECE, [...range, until.time, until.envelopeId, MAX_REPLAYED - piece.matched]);
    const isFinished = last === null || !piece.hasEndpoint || piece.matched + added >= MAX_REPLAYED;
    await tx.run(
      `update endpoint_replays set after_time = $3::timestamptz, after_envelope = $4, matched = matched + $5,
              lease_until = clock_timestamp() + ${LEASE}, finished_at = case when $6::boolean then clock_timestamp() end
        where space_id = $1 and id = $2`,
      [spaceId, id, until.time, until.envelopeId, added, isFinished],
    );
    return added;
  }

  /** Replays whose lease has ended, now leased to the caller. */
  claimAbandoned(tx: Tx, limit: number): Promise<ReplayRef[]> {
    return tx.query<ReplayRef>(
      `update endpoint_replays r set lease_until = clock_timestamp() + ${LEASE}
         from (select space_id, id from endpoint_replays where finished_at is null and lease_until < (select clock_timestamp())
                order by lease_until limit $1 for update skip locked) due
        where r.space_id = due.space_id and r.id = due.id returning r.space_id, r.id, r.endpoint_id`,
      [limit],
    );
  }

  /** Another process may go on at once. */
  async release(tx: Tx, { spaceId, id }: ReplayRef): Promise<void> {
    await tx.run(
      'update endpoint_replays set lease_until = clock_timestamp() where space_id = $1 and id = $2 and finished_at is null',
      [spaceId, id],
    );
  }

  async remove(tx: Tx, { spaceId, id }: ReplayRef): Promise<void> {
    await tx.run('delete from endpoint_replays where space_id = $1 and id = $2', [spaceId, id]);
  }

  async removeOld(tx: Tx, days: number, limit: number): Promise<number> {
    return tx.count(
      `delete from endpoint_replays r using (
         select space_id, id from endpoint_replays where finished_at < (select clock_timestamp()) - make_interval(days => $1)
          limit $2 for update skip locked) old
        where r.space_id = old.space_id and r.id = old.id`,
      [days, limit],
    );
  }
}

/** An envelope of which only the data was deleted is left out. */
const ADD_PIECE = `
  with chosen as materialized (
    select d.envelope_id, d.subscription_id, d.event, d.emitted_at, d.replay, d.bytes from endpoint_deliveries d
     where ${BEHIND} and (d.emitted_at, d.envelope_id) <= ($7::timestamptz, $8::uuid)
       and d.replay = (select max(l.replay) from endpoint_deliveries l
                        where l.space_id = d.space_id and l.envelope_id = d.envelope_id and l.endpoint_id = d.endpoint_id)
       and exists (select 1 from emissions m where m.space_id = d.space_id and m.id = d.envelope_id)
     order by d.emitted_at, d.envelope_id limit $9)
  insert into endpoint_deliveries (space_id, id, envelope_id, endpoint_id, subscription_id, event, emitted_at, replay, bytes, status, error, settled_at, run_at)
  select $1, ${NEW_ID}, c.envelope_id, $2, c.subscription_id, c.event, c.emitted_at, c.replay + 1, c.bytes, ${FIRST_OUTCOME},
         (select clock_timestamp()) + row_number() over (order by c.emitted_at, c.envelope_id) * interval '1 microsecond'
    from chosen c join endpoints e on e.space_id = $1 and e.id = $2
   order by c.emitted_at, c.envelope_id
  on conflict do nothing`;
