import { Injectable } from '@nestjs/common';
import { type JsonObject, sqlStates } from '@switchyard/kernel';
import { ACTIVE_TURN_STATUSES } from '@switchyard/contracts';
import { type PageWindow, type RowOf, type TimePosition, type Tx, readableSql, snakeName } from '@switchyard/database';
import { sessions } from './tables';

const ACTIVE = sqlStates(ACTIVE_TURN_STATUSES);

export interface SessionRow extends Omit<RowOf<typeof sessions>, 'spaceId' | 'deletedAt'> {
  activeTurnId: string | null;
}

/** All but the Space, which every reader knows, and the end, which no reader sees. */
const NAMES = Object.keys(sessions.columns).filter((name) => name !== 'spaceId' && name !== 'deletedAt');

/** Metadata that is too large to be read stays in the database. */
const columnOf = (name: string, row = ''): string =>
  name === 'metadata' ? `${readableSql(name, `'{}'::jsonb`, row)} as metadata` : `${row}${snakeName(name)}`;

/** Without the look at its active turn: for transactions that know it. */
const OWN_COLUMNS = `${NAMES.map((name) => columnOf(name)).join(', ')}, null::uuid as active_turn_id`;

const columnsOf = (names: readonly string[]): string => `${names.map((name) => columnOf(name, 's.')).join(', ')},
  (select t.turn_id from turns t where t.space_id = s.space_id and t.session_id = s.id
     and t.status in ${ACTIVE}) as active_turn_id`;

const COLUMNS = columnsOf(NAMES);

const FIND = `select ${COLUMNS} from sessions s where s.space_id = $1 and s.id = $2 and s.status = 'ACTIVE'`;

/** Columns of a list: all but the metadata, which can be long. */
const LISTED = `${columnsOf(NAMES.filter((name) => name !== 'metadata'))}, s.created_at::text as listed_at`;
const IS_SELECTED = `s.space_id = $1 and s.status = 'ACTIVE'
  and ($2::uuid is null or s.user_id = $2) and ($3::uuid is null or s.agent_id = $3)
  and ($4::timestamptz is null or (s.created_at, s.id) < ($4, $5::uuid))`;
const NEWEST_FIRST = 's.created_at desc, s.id desc';

const LIST = `select ${LISTED} from sessions s where ${IS_SELECTED} order by ${NEWEST_FIRST} limit $6`;

/**
 * First their ids, so that titles can be read from an index alone, then their rows. `ilike` would find the same: it
 * makes title and pattern lower case too, but each title anew, which takes most of the time. The index has them so.
 *
 * In a transaction over all Spaces, a rare word is found by the index of trigrams: under row-level security Postgres
 * does not use it, as \`like\` is not leakproof.
 */
const LIST_BY_TITLE = `with found as materialized (
    select s.id from sessions s where ${IS_SELECTED} and lower(s.title) like lower($7)
    order by ${NEWEST_FIRST} limit $6)
  select ${LISTED} from found f join sessions s on s.space_id = $1 and s.id = f.id order by ${NEWEST_FIRST}`;

/**
 * Where sessions have changed since the last vacuum, the index alone does not do and the table is looked at. At four
 * times a page in order, its default, the planner would soon rather read all of a Space's sessions from the table.
 */
const INDEX_FIRST = 'set local random_page_cost = 1.1';

export interface NewSession {
  id: string;
  userId: string;
  agentId: string | null;
  title: string | null;
  metadata: JsonObject;
}

/** With its place in the list, to the microsecond. */
export interface ListedSession extends Omit<SessionRow, 'metadata'> {
  listedAt: string;
}

export interface SessionFilter extends PageWindow<TimePosition> {
  userId: string | null;
  agentId: string | null;
}

const paramsOf = (spaceId: string, { userId, agentId, after, take }: SessionFilter): unknown[] => [
  spaceId,
  userId,
  agentId,
  after?.at ?? null,
  after?.id ?? null,
  take,
];

/** Source of the title of a session that starts with a message. */
export interface FirstMessage {
  title: string | null;
}

export interface Growth {
  messages: number;
  /** Those of them that are no events. */
  spoken: number;
  agentId: string;
  /** Taken where there is none yet. */
  title?: string | null;
  completedTurns?: number;
  /** A turn that outlives its session still writes its end down. */
  evenDeleted?: boolean;
}

const likePattern = (part: string): string => `%${part.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;

/** Sessions. Hot path: SQL on `pg`, prepared by name where every turn takes it. */
@Injectable()
export class SessionsRepository {
  /** A deleted session is not found. */
  find(tx: Tx, spaceId: string, id: string): Promise<SessionRow | null> {
    return tx.one<SessionRow>(FIND, [spaceId, id]);
  }

  /** Locks it until the transaction ends. */
  async findLocked(tx: Tx, spaceId: string, id: string): Promise<SessionRow | null> {
    await tx.query(`select 1 from sessions where space_id = $1 and id = $2 for update`, [spaceId, id]);
    return tx.one<SessionRow>(FIND, [spaceId, id]);
  }

  async insert(tx: Tx, spaceId: string, session: NewSession, first: FirstMessage | null = null): Promise<SessionRow> {
    const [row] = await tx.prepared<SessionRow>(
      'session-insert',
      `insert into sessions (space_id, id, user_id, agent_id, title, metadata, last_seq, message_count, last_message_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7, case when $7 > 0 then now() end) returning ${OWN_COLUMNS}`,
      [
        spaceId,
        session.id,
        session.userId,
        session.agentId,
        session.title ?? first?.title ?? null,
        JSON.stringify(session.metadata),
        first === null ? 0 : 1,
      ],
    );
    if (!row) throw new Error('an insert gave no row');
    return row;
  }

  /** Whether it is new. */
  async insertUnlessThere(
    tx: Tx,
    spaceId: string,
    { id, userId, agentId, title, metadata }: NewSession,
  ): Promise<boolean> {
    const inserted = await tx.count(
      `insert into sessions (space_id, id, user_id, agent_id, title, metadata) values ($1, $2, $3, $4, $5, $6)
       on conflict (space_id, id) do nothing`,
      [spaceId, id, userId, agentId, title, JSON.stringify(metadata)],
    );
    return inserted > 0;
  }

  /** By their creation: clients choose ids, of any kind. */
  list(tx: Tx, spaceId: string, filter: SessionFilter): Promise<ListedSession[]> {
    return tx.query<ListedSession>(LIST, paramsOf(spaceId, filter));
  }

  /** In a transaction over all Spaces. */
  async listByTitle(tx: Tx, spaceId: string, part: string, filter: SessionFilter): Promise<ListedSession[]> {
    await tx.run(INDEX_FIRST);
    return tx.query<ListedSession>(LIST_BY_TITLE, [...paramsOf(spaceId, filter), likePattern(part)]);
  }

  async change(tx: Tx, spaceId: string, id: string, change: { title?: string; metadata?: JsonObject }): Promise<void> {
    await tx.rows(sessions).change({ spaceId, id }, { ...change, updatedAt: () => 'now()' });
  }

  async markDeleted(tx: Tx, spaceId: string, id: string): Promise<void> {
    const end = { status: 'DELETED', deletedAt: () => 'now()', updatedAt: () => 'now()' } as const;
    await tx.rows(sessions).change({ spaceId, id }, end);
  }

  /** Makes room for messages at the end; `lastSeq` is the last of them then. Null when the session is gone. */
  async grow(tx: Tx, spaceId: string, id: string, growth: Growth): Promise<SessionRow | null> {
    const [row] = await tx.prepared<SessionRow>(
      'session-grow',
      `update sessions set last_seq = last_seq + $3, message_count = message_count + $4, title = coalesce(title, $5),
         agent_id = coalesce(agent_id, $6), completed_turns = completed_turns + $7, updated_at = now(),
         last_message_at = case when $3 > 0 then now() else last_message_at end
       where space_id = $1 and id = $2 and ($8 or status = 'ACTIVE') returning ${OWN_COLUMNS}`,
      [
        spaceId,
        id,
        growth.messages,
        growth.spoken,
        growth.title ?? null,
        growth.agentId,
        growth.completedTurns ?? 0,
        growth.evenDeleted ?? false,
      ],
    );
    return row ?? null;
  }

  /**
   * Sets the counters of a fork from the messages it has. It takes over the summary as well, unless it ends before it,
   * and counts as having completed a turn when an answer is among its messages.
   */
  async adoptTranscript(tx: Tx, spaceId: string, id: string, from: { sessionId: string; upTo: number }): Promise<void> {
    await tx.query(
      `update sessions f set last_seq = $4, message_count = c.spoken, last_message_at = c.last_at,
         completed_turns = least(c.answers, s.completed_turns),
         summary = case when s.summary_seq <= $4 then s.summary end,
         summary_seq = case when s.summary_seq <= $4 then s.summary_seq else 0 end,
         summary_tokens = case when s.summary_seq <= $4 then s.summary_tokens else 0 end,
         compacted_seq = case when s.summary_seq <= $4 then least(s.compacted_seq, $4) else 0 end,
         compaction_count = case when s.summary_seq <= $4 then s.compaction_count else 0 end
       from sessions s, (
         select count(*) filter (where role <> 'event') as spoken, max(created_at) as last_at,
           count(*) filter (where role = 'assistant' and tool_calls is null) as answers
         from messages where space_id = $1 and session_id = $2) c
       where f.space_id = $1 and f.id = $2 and s.space_id = $1 and s.id = $3`,
      [spaceId, id, from.sessionId, from.upTo],
    );
  }

  /** Stores a summary unless another one has been stored since `seen` was read. */
  async storeSummary(
    tx: Tx,
    spaceId: string,
    id: string,
    summary: { text: string; seq: number; tokens: number; seenCompactions: number },
  ): Promise<boolean> {
    const stored = await tx.count(
      `update sessions set summary = $3, summary_seq = $4, summary_tokens = $5, compacted_seq = last_seq,
         compaction_count = compaction_count + 1, updated_at = now()
       where space_id = $1 and id = $2 and status = 'ACTIVE' and compaction_count = $6`,
      [spaceId, id, summary.text, summary.seq, summary.tokens, summary.seenCompactions],
    );
    return stored > 0;
  }

  /** Removes sessions that were deleted a while ago and whose last turn has ended, with all that hangs on them. */
  purge(tx: Tx, olderThanHours: number, limit: number): Promise<number> {
    return tx.count(
      `delete from sessions where (space_id, id) in (
         select s.space_id, s.id from sessions s
         where s.status = 'DELETED' and s.deleted_at < now() - make_interval(hours => $1)
           and not exists (select 1 from turns t where t.space_id = s.space_id and t.session_id = s.id
             and t.status in ${ACTIVE})
         limit $2)`,
      [olderThanHours, limit],
    );
  }
}
