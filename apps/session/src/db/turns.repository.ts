import { Injectable } from '@nestjs/common';
import {
  ACTIVE_TURN_STATUSES,
  type FinalTurnStatus,
  type MessageUsage,
  type TurnError,
  type TurnIdentity,
  type TurnOfSession,
  type TurnStatus,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { type JsonObject, sqlStatesByKey, sqlStates } from '@switchyard/kernel';

const ACTIVE = sqlStates(ACTIVE_TURN_STATUSES);

export interface TurnRow {
  id: string;
  spaceId: string;
  turnId: string;
  userId: string;
  agentId: string;
  sessionId: string | null;
  status: TurnStatus;
  fingerprint: string;
  model: string;
  contextWindow: number;
  identity: TurnIdentity;
  input: JsonObject;
  state: JsonObject | null;
  result: unknown;
  usage: MessageUsage | null;
  error: TurnError | null;
  finishReason: string | null;
  epoch: number;
  owner: string | null;
  claimReason: string | null;
  recoveries: number;
  cancelRequestedAt: string | null;
  startedAt: string;
  finishedAt: string | null;
}

/** A turn that has ended, as far as those who wait for it are concerned. */
export type SettledTurn = Pick<TurnRow, 'spaceId' | 'turnId' | 'input'>;

export interface NewTurn {
  key: string;
  turnId: string;
  userId: string;
  agentId: string;
  /** At the start of the turn; null from a process of 0.1.0. */
  agentName: string | null;
  sessionId: string | null;
  fingerprint: string;
  model: string;
  contextWindow: number;
  identity: TurnIdentity;
  input: JsonObject;
  owner: string;
}

export interface LeaseRef {
  key: string;
  epoch: number;
}

export interface Ending {
  status: FinalTurnStatus;
  finishReason: string | null;
  usage: MessageUsage | null;
  error: TurnError | null;
  result: unknown;
}

export const TURN_COLUMNS = `id, space_id, turn_id, user_id, agent_id, session_id, status, fingerprint, model, context_window,
  identity, input, state, result, usage, error, finish_reason, epoch, owner, claim_reason, recoveries, cancel_requested_at,
  started_at, finished_at`;

/** Of a turn that was just inserted, without its input: that may have half a megabyte, and the caller has it. */
export const INSERTED_COLUMNS = TURN_COLUMNS.replace(/\bidentity, input, /, '');

export type InsertedRow = Omit<TurnRow, 'identity' | 'input'>;

export const insertedTurn = <Row extends InsertedRow>(
  row: Row,
  { identity, input }: NewTurn,
): Row & Pick<TurnRow, 'identity' | 'input'> => ({ ...row, identity, input });

/** Of a turn that is found by its key. */
export const hasStatus = (status: TurnStatus): string => sqlStatesByKey('status', status);

/** Takes fourteen parameters, see `newTurnParams`; `from` makes it depend on rows of the same statement. */
export const insertTurn = (from = ''): string =>
  `insert into turns (space_id, id, turn_id, user_id, agent_id, session_id, status, fingerprint, model, context_window,
     identity, input, owner, lease_until, agent_name)
   select $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6::uuid, 'RUNNING', $7::text, $8::text, $9::int,
     $10::json, $11::json, $12::text, clock_timestamp() + make_interval(secs => $13::int), $14::text${from}
   on conflict do nothing`;

export const newTurnParams = (spaceId: string, turn: NewTurn, leaseSeconds: number): unknown[] => [
  spaceId,
  turn.key,
  turn.turnId,
  turn.userId,
  turn.agentId,
  turn.sessionId,
  turn.fingerprint,
  turn.model,
  turn.contextWindow,
  JSON.stringify(turn.identity),
  JSON.stringify(turn.input),
  turn.owner,
  leaseSeconds,
  turn.agentName,
];

/**
 * All that is kept of a turn's input after its end: whether a job or a task waits for it, which is then told, and
 * whether it may be read.
 */
export const STORED_INPUT = `json_strip_nulls(json_build_object('source', input->'source', 'isUnstored', input->'isUnstored'))`;

export const IS_STORED = `input->>'isUnstored' is null`;

/** Nothing is kept of what an unstored turn said. */
const unlessUnstored = (value: string): string => `case when ${IS_STORED} then ${value}::json end`;

/**
 * SQL: sets what a turn keeps that an operator may have tried again; an unstored one keeps as little as after any end.
 */
export const KEEP_TO_RETRY = `state = ${unlessUnstored('state')}, input = case when ${IS_STORED} then input else ${STORED_INPUT} end`;

/**
 * Ends a turn and its pending interaction. Its last worker stays recorded: it writes the final frames. Takes
 * eight parameters, see `endingParams`.
 */
export const END_TURN = `update turns set status = $4, finish_reason = $5, usage = $6, error = ${unlessUnstored('$7')}, result = ${unlessUnstored('$8')}, state = null, input = ${STORED_INPUT},
     lease_until = null, finished_at = clock_timestamp()
   where space_id = $1 and id = $2 and epoch = $3 and ${hasStatus('RUNNING')} and owner is not null`;

export const END_TOOL_CALLS = `update tool_results set status = 'EXPIRED' where space_id = $1 and turn_key = $2 and status = 'PENDING'`;

export const endingParams = (spaceId: string, leased: LeaseRef, ending: Ending): unknown[] => [
  spaceId,
  leased.key,
  leased.epoch,
  ending.status,
  ending.finishReason,
  ending.usage === null ? null : JSON.stringify(ending.usage),
  ending.error === null ? null : JSON.stringify(ending.error),
  JSON.stringify(ending.result ?? null),
];

/** The caller of this transaction. The event of the turn's end has it as the actor. */
const CANCELLED_BY = `cancelled_by = coalesce(cancelled_by, nullif(current_setting('app.actor', true), ''))`;

const first = <Row>(rows: Row[]): Row | null => rows[0] ?? null;

/** Sessions that were deleted take their turns with them. */
const READABLE = `(session_id is null or exists (
  select 1 from sessions s where s.space_id = turns.space_id and s.id = turns.session_id and s.status = 'ACTIVE'))`;

/**
 * Turns: the row that says how a turn stands, and who writes for it.
 * Hot path: SQL on `pg`, prepared by name where every turn takes it.
 */
@Injectable()
export class TurnsRepository {
  async findOwn(tx: Tx, spaceId: string, userId: string, turnId: string): Promise<TurnRow | null> {
    const [turn = null] = await tx.prepared<TurnRow>(
      'find-own-turn',
      `select ${TURN_COLUMNS} from turns where space_id = $1 and user_id = $2 and turn_id = $3 and ${READABLE}`,
      [spaceId, userId, turnId],
    );
    return turn;
  }

  /** Also by a turn of a deleted session. */
  async isNameTaken(tx: Tx, spaceId: string, userId: string, turnId: string): Promise<boolean> {
    return (
      (await tx.count(`select 1 from turns where space_id = $1 and user_id = $2 and turn_id = $3`, [
        spaceId,
        userId,
        turnId,
      ])) > 0
    );
  }

  /** As `findOwn`, and keeps others from changing it until the transaction ends. */
  findOwnLocked(tx: Tx, spaceId: string, userId: string, turnId: string): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `select ${TURN_COLUMNS} from turns where space_id = $1 and user_id = $2 and turn_id = $3 and ${READABLE} for update of turns`,
      [spaceId, userId, turnId],
    );
  }

  /** Anybody's, for those who may read everything; a turn id is only unique for one user, so the newest one. */
  findAnybodys(tx: Tx, spaceId: string, turnId: string, sessionId: string | null = null): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `select ${TURN_COLUMNS} from turns where space_id = $1 and turn_id = $2 and ($3::uuid is null or session_id = $3)
         and ${READABLE} order by started_at desc limit 1`,
      [spaceId, turnId, sessionId],
    );
  }

  /** Locks a turn of any user in a session, for approvers. */
  findInSessionLocked(tx: Tx, spaceId: string, sessionId: string, turnId: string): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `select ${TURN_COLUMNS} from turns where space_id = $1 and session_id = $2 and turn_id = $3 and ${READABLE} for update of turns`,
      [spaceId, sessionId, turnId],
    );
  }

  findByKey(tx: Tx, spaceId: string, key: string): Promise<TurnRow | null> {
    return tx.one<TurnRow>(`select ${TURN_COLUMNS} from turns where space_id = $1 and id = $2`, [spaceId, key]);
  }

  newestOfSession(tx: Tx, spaceId: string, sessionId: string, limit: number): Promise<TurnOfSession[]> {
    return tx.query<TurnOfSession>(
      `select turn_id as id, agent_id, session_id, status, started_at, finished_at, error, epoch from turns
       where space_id = $1 and session_id = $2 and ${READABLE} order by started_at desc, id desc limit $3`,
      [spaceId, sessionId, limit],
    );
  }

  findLeased(tx: Tx, spaceId: string, leased: LeaseRef): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `select ${TURN_COLUMNS} from turns where space_id = $1 and id = $2 and epoch = $3 and ${hasStatus('RUNNING')} and owner is not null`,
      [spaceId, leased.key, leased.epoch],
    );
  }

  findWaiting(tx: Tx, spaceId: string, key: string): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `select ${TURN_COLUMNS} from turns where space_id = $1 and id = $2 and ${hasStatus('WAITING_INPUT')}`,
      [spaceId, key],
    );
  }

  findActiveLocked(tx: Tx, spaceId: string, sessionId: string): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `select ${TURN_COLUMNS} from turns where space_id = $1 and session_id = $2 and status in ${ACTIVE} for update`,
      [spaceId, sessionId],
    );
  }

  findActive(tx: Tx, spaceId: string, sessionId: string): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `select ${TURN_COLUMNS} from turns where space_id = $1 and session_id = $2 and status in ${ACTIVE}`,
      [spaceId, sessionId],
    );
  }

  /** Takes the session's one place for a turn. Null when it is taken, or when the user has a turn of this name. */
  async insertUnlessTaken(tx: Tx, spaceId: string, turn: NewTurn, leaseSeconds: number): Promise<TurnRow | null> {
    const [row] = await tx.prepared<InsertedRow>(
      'turn-insert',
      `${insertTurn()} returning ${INSERTED_COLUMNS}`,
      newTurnParams(spaceId, turn, leaseSeconds),
    );
    return row ? insertedTurn(row, turn) : null;
  }

  async saveState(
    tx: Tx,
    spaceId: string,
    leased: LeaseRef,
    state: JsonObject,
    leaseSeconds: number,
  ): Promise<{ cancelRequested: boolean } | null> {
    return first(
      await tx.prepared<{ cancelRequested: boolean }>(
        'turn-save-state',
        `update turns set state = $4, lease_until = clock_timestamp() + make_interval(secs => $5)
         where space_id = $1 and id = $2 and epoch = $3 and ${hasStatus('RUNNING')} and owner is not null
         returning cancel_requested_at is not null as cancel_requested`,
        [spaceId, leased.key, leased.epoch, JSON.stringify(state), leaseSeconds],
      ),
    );
  }

  /**
   * Releases the turn until its user answers; null if another worker has it or it must stop. The asking worker stays
   * recorded.
   */
  pause(
    tx: Tx,
    spaceId: string,
    leased: LeaseRef,
    left: { state: JsonObject; result: unknown },
  ): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `update turns set status = 'WAITING_INPUT', state = $4, result = $5, lease_until = null
       where space_id = $1 and id = $2 and epoch = $3 and ${hasStatus('RUNNING')} and owner is not null and cancel_requested_at is null
       returning ${TURN_COLUMNS}`,
      [spaceId, leased.key, leased.epoch, JSON.stringify(left.state), JSON.stringify(left.result ?? null)],
    );
  }

  /** Gives a waiting turn to a replica, under a new epoch. */
  resume(
    tx: Tx,
    spaceId: string,
    key: string,
    by: { owner: string; identity: TurnIdentity },
    leaseSeconds: number,
  ): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `update turns set status = 'RUNNING', owner = $3, identity = $4, epoch = epoch + 1, result = null,
         lease_until = clock_timestamp() + make_interval(secs => $5), taken_at = clock_timestamp()
       where space_id = $1 and id = $2 and ${hasStatus('WAITING_INPUT')} returning ${TURN_COLUMNS}`,
      [spaceId, key, by.owner, JSON.stringify(by.identity), leaseSeconds],
    );
  }

  /** Marks a running turn, so that its worker stops it; returns whether it has one. */
  markCancelled(tx: Tx, spaceId: string, key: string): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `update turns set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()), ${CANCELLED_BY}
       where space_id = $1 and id = $2 and ${hasStatus('RUNNING')} returning ${TURN_COLUMNS}`,
      [spaceId, key],
    );
  }

  /**
   * Hands a waiting turn to the replica that claims it first: to bring it to its end, or to go on without an approval.
   */
  wake(
    tx: Tx,
    spaceId: string,
    key: string,
    { reason, ends }: { reason: 'cancelled' | 'expired'; ends: boolean },
  ): Promise<TurnRow | null> {
    return tx.one<TurnRow>(
      `update turns set status = 'RUNNING', owner = null, claim_reason = $3, lease_until = clock_timestamp(), result = null,
         cancel_requested_at = case when $4 then coalesce(cancel_requested_at, clock_timestamp()) else cancel_requested_at end, ${CANCELLED_BY}
       where space_id = $1 and id = $2 and ${hasStatus('WAITING_INPUT')} returning ${TURN_COLUMNS}`,
      [spaceId, key, reason, ends],
    );
  }
}
