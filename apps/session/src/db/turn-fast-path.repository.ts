import { Injectable } from '@nestjs/common';
import type { Ctx, NewMessage } from '@switchyard/contracts';
import { requireSpace } from '@switchyard/contracts';
import { Database, sqlStateOf, GroupCommitWriter } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { type CountedEntry, draftMessages, insertMessages, selectContext } from './messages.repository';
import type { SessionRow } from './sessions.repository';
import {
  END_TOOL_CALLS,
  END_TURN,
  type Ending,
  endingParams,
  type LeaseRef,
  insertTurn,
  newTurnParams,
  type NewTurn,
  INSERTED_COLUMNS,
  type InsertedRow,
  insertedTurn,
  type TurnRow,
} from './turns.repository';

const T_COLUMNS = INSERTED_COLUMNS.replace(/\w+/g, 't.$&');

const OPEN_WITH_SESSION = `
  with t as (${insertTurn()} returning ${INSERTED_COLUMNS}),
  s as (
    insert into sessions (space_id, id, user_id, agent_id, title, metadata, last_seq, message_count, last_message_at)
    select t.space_id, t.session_id, t.user_id, t.agent_id, $15::text, '{}', 1, 1, now() from t),
  m as (${insertMessages({ space: 't.space_id', session: 't.session_id', turn: 't.turn_id', lastSeq: '0', records: '$16' }, ', t')})
  select * from t`;

/**
 * The session is read first and locked last, after the turn: every transaction locks in this order. If the session was
 * deleted between the two, the division by zero rolls the statement back. No row for a message id that the session
 * has already, or if the context has more tokens than $19: the statement after it reads the same rows.
 */
const OPEN_IN_SESSION = `
  with known as (
    select id from sessions where space_id = $1 and id = $6 and user_id = $4 and status = 'ACTIVE' and coalesce(agent_id, $5) = $5
      and (last_seq > 0 or not $17::boolean)
      and ($18::uuid is null or not exists (select 1 from messages where space_id = $1 and session_id = $6 and id = $18))
      and ($19::int is null or summary_tokens + (
        select coalesce(sum(tokens), 0) from messages
        where space_id = $1 and session_id = $6 and role <> 'event' and seq > sessions.summary_seq) <= $19)),
  t as (${insertTurn(' from known')} returning ${INSERTED_COLUMNS}),
  s as (
    update sessions set last_seq = last_seq + 1, message_count = message_count + 1, title = coalesce(title, $15::text),
      agent_id = coalesce(agent_id, $5), updated_at = now(), last_message_at = now()
    where space_id = $1 and id = (select session_id from t) and status = 'ACTIVE' returning *),
  m as (${insertMessages({ space: 's.space_id', session: 's.id', turn: '$3', lastSeq: 's.last_seq - 1', records: '$16' }, ', s')})
  select ${T_COLUMNS}, s.summary, s.summary_tokens, 1 / (case when s.id is null then 0 else 1 end) as spoken
  from t left join s on true`;

const DIVISION_BY_ZERO = '22012';

const CONTEXT = selectContext('(select summary_seq from sessions where space_id = $1 and id = $2)');

/** Not its result and its identity: the caller has both. */
const ENDED_COLUMNS = `id, space_id, turn_id, user_id, agent_id, session_id, status, model, context_window, input, usage, error,
  finish_reason, epoch, owner, cancel_requested_at, started_at, finished_at`;

/** The sum of tokens reads the messages before this statement; $12 has those of its own. */
const CLOSE = `
  with over as (${END_TOOL_CALLS}),
  t as (${END_TURN} returning ${ENDED_COLUMNS}),
  s as (
    update sessions set last_seq = last_seq + $10::int, message_count = message_count + $11::int,
      completed_turns = completed_turns + case when $4 = 'COMPLETED' then 1 else 0 end,
      agent_id = coalesce(sessions.agent_id, t.agent_id), updated_at = now(),
      last_message_at = case when $10::int > 0 then now() else last_message_at end
    from t where sessions.space_id = $1 and sessions.id = t.session_id returning sessions.*, t.turn_id as of_turn),
  m as (${insertMessages({ space: 's.space_id', session: 's.id', turn: 's.of_turn', lastSeq: 's.last_seq - $10::int', records: '$9' }, ', s')})
  select t.*, s.status as session_status, s.last_seq, s.message_count, s.summary, s.summary_tokens, s.compacted_seq,
    s.compaction_count, coalesce((
      select sum(tokens) from messages
      where space_id = s.space_id and session_id = s.id and seq > s.summary_seq and role <> 'event'), 0) + $12::int as tokens
  from t left join s on true`;

/** A guess, as the size of a session's context is not known here: it keeps a group to eight of them. */
const CONTEXT_BYTES = 32 * 1024;

const bytesOf = (params: readonly unknown[]): number =>
  params.reduce<number>((sum, param) => sum + (typeof param === 'string' ? param.length : 8), 0);

type Grown = Pick<
  SessionRow,
  'lastSeq' | 'messageCount' | 'summary' | 'summaryTokens' | 'compactedSeq' | 'compactionCount'
>;

export interface ClosedAtOnce {
  turn: Omit<TurnRow, 'fingerprint' | 'identity' | 'state' | 'result' | 'claimReason' | 'recoveries'>;
  /** Null where there is none, or where it was deleted. */
  session: (Grown & { id: string }) | null;
  /** Of the context, without its summary. */
  tokens: number;
}

/** The first message of a turn. */
export interface First {
  message: NewMessage;
  title: string | null;
  leaseSeconds: number;
  /** Null: the turn opens at any size. */
  contextTokenLimit: number | null;
}

/**
 * The usual beginning and the usual end of a turn, each in one statement; those that come together share round trips
 * and commits (`GroupCommitWriter`). In any other case nothing is written and the answer is null: the separate steps find
 * out why. Hot path: SQL on `pg`, prepared by name where every turn takes it.
 */
@Injectable()
export class TurnFastPathRepository {
  /** Separate groups against deadlocks: an opening may wait for the end of the turn before it, never the reverse. */
  private readonly beginnings: GroupCommitWriter;
  private readonly ends: GroupCommitWriter;

  constructor(database: Database) {
    this.beginnings = new GroupCommitWriter(database);
    this.ends = new GroupCommitWriter(database);
  }

  /** A turn, the session that it opens, and its first message. */
  async openWithSession(
    ctx: Ctx,
    turn: NewTurn & { sessionId: string },
    { message, title, leaseSeconds, contextTokenLimit }: First,
  ): Promise<{ turn: TurnRow; entries: CountedEntry[] } | null> {
    const draft = draftMessages([message]);
    if (contextTokenLimit !== null && draft.tokens > contextTokenLimit) return null;
    const params = [...newTurnParams(requireSpace(ctx), turn, leaseSeconds), title, draft.json];
    const [rows] = await this.beginnings.add(ctx, {
      statements: [{ name: 'turn-open-with-session', sql: OPEN_WITH_SESSION, params }],
      order: turn.sessionId,
      bytes: bytesOf(params),
    });
    const [opened] = (rows ?? []) as unknown as InsertedRow[];
    return opened ? { turn: insertedTurn(opened, turn), entries: draft.entries(0) } : null;
  }

  /** A turn and its first message in a session of the same user and agent. Throws when the session goes meanwhile. */
  async openInSession(
    ctx: Ctx,
    turn: NewTurn & { sessionId: string },
    { message, title, leaseSeconds, contextTokenLimit, isSaidIn }: First & { isSaidIn: boolean },
  ): Promise<{
    turn: TurnRow;
    session: Pick<SessionRow, 'summary' | 'summaryTokens'>;
    entries: CountedEntry[];
  } | null> {
    const spaceId = requireSpace(ctx);
    const { json, tokens } = draftMessages([message]);
    const pastLimit = contextTokenLimit === null ? null : contextTokenLimit - tokens;
    const opening = newTurnParams(spaceId, turn, leaseSeconds);
    const params = [...opening, title, json, isSaidIn, message.id ?? null, pastLimit];
    const adding = this.beginnings.add(ctx, {
      statements: [
        { name: 'turn-open-in-session', sql: OPEN_IN_SESSION, params },
        { name: 'turn-context', sql: CONTEXT, params: [spaceId, turn.sessionId] },
      ],
      order: turn.sessionId,
      bytes: bytesOf(params) + CONTEXT_BYTES,
    });
    const [rows, entries] = await adding.catch((error: unknown) => {
      if (sqlStateOf(error) === DIVISION_BY_ZERO) throw new AppError('NOT_FOUND', 'Session not found.');
      throw error;
    });
    const [opened] = (rows ?? []) as unknown as (InsertedRow & Pick<SessionRow, 'summary' | 'summaryTokens'>)[];
    if (!opened) return null;
    const { summary, summaryTokens, ...row } = opened;
    return {
      turn: insertedTurn(row, turn),
      session: { summary, summaryTokens },
      entries: (entries ?? []) as unknown as CountedEntry[],
    };
  }

  /** The turn's end, what it has said, and how full its session is. */
  async close(
    ctx: Ctx,
    leased: LeaseRef,
    { ending, messages }: { ending: Ending; messages: readonly NewMessage[] },
  ): Promise<ClosedAtOnce | null> {
    const spaceId = requireSpace(ctx);
    const draft = draftMessages(messages);
    const conversation = messages.filter((message) => message.role !== 'event').length;
    const params = [...endingParams(spaceId, leased, ending), draft.json, messages.length, conversation, draft.tokens];
    const [rows] = await this.ends.add(ctx, {
      statements: [{ name: 'turn-close-at-once', sql: CLOSE, params }],
      order: leased.key,
      bytes: bytesOf(params),
    });
    const [closed] = (rows ?? []) as unknown as (ClosedAtOnce['turn'] &
      Grown & { sessionStatus: string | null; tokens: number })[];
    if (!closed) return null;
    const { sessionId: id, sessionStatus, tokens } = closed;
    return {
      turn: closed,
      session: id !== null && sessionStatus === 'ACTIVE' ? { ...closed, id } : null,
      tokens,
    };
  }
}
