import { Injectable } from '@nestjs/common';
import type { ContentItem, MessageUsage, NewMessage, ToolCallRecord, TranscriptRole } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { newId, type JsonObject, PAGE_BYTES } from '@switchyard/kernel';
import type { ContextEntry } from '../domain/context-messages';
import { framingTokens, textOf } from '../domain/message-to-text';
import { estimateTokens } from '../domain/token-estimate';

export interface MessageRow {
  id: string;
  sessionId: string;
  turnId: string | null;
  seq: number;
  role: TranscriptRole;
  content: ContentItem[];
  reasoning: string | null;
  toolCalls: ToolCallRecord[] | null;
  toolCallId: string | null;
  name: string | null;
  event: JsonObject | null;
  usage: MessageUsage | null;
  model: string | null;
  finishReason: string | null;
  createdAt: string;
}

export interface CountedEntry extends ContextEntry {
  counted: boolean;
}

const COLUMNS = `id, session_id, turn_id, seq, role, content, reasoning, tool_calls, tool_call_id, name, event, usage, model, finish_reason, created_at`;

/** A message as one record of the JSON that `insertMessages` reads. */
const asRecord = (message: NewMessage, position: number) => ({
  position,
  id: message.id ?? newId(),
  role: message.role,
  content: message.content,
  reasoning: message.reasoning ?? null,
  tool_calls: message.toolCalls ?? null,
  tool_call_id: message.toolCallId ?? null,
  name: message.name ?? null,
  event: message.event ?? null,
  usage: message.tokenUsage ?? null,
  model: message.model ?? null,
  finish_reason: message.finishReason ?? null,
  tokens: message.role === 'event' ? 0 : estimateTokens(textOf(message)) + framingTokens(message),
  counted: message.role === 'event',
});

const records = (messages: readonly NewMessage[]) => messages.map((message, n) => asRecord(message, n + 1));

/**
 * Writes messages at the seqs after `lastSeq`. The arguments are SQL; `from` is what they read beside the parameters.
 */
export const insertMessages = (
  at: { space: string; session: string; turn: string; lastSeq: string; records: string },
  from = '',
): string =>
  `insert into messages (space_id, id, session_id, turn_id, seq, role, content, reasoning, tool_calls, tool_call_id, name, event,
     usage, model, finish_reason, tokens, counted, bytes)
   select ${at.space}, m.id, ${at.session}, ${at.turn}, ${at.lastSeq} + m.position, m.role, m.content, m.reasoning,
     m.tool_calls, m.tool_call_id, m.name, m.event, m.usage, m.model, m.finish_reason, m.tokens, m.counted,
     octet_length(m.content::text) + coalesce(octet_length(m.reasoning), 0) + coalesce(octet_length(m.tool_calls::text), 0) + coalesce(octet_length(m.event::text), 0) + 500
   from json_to_recordset(${at.records}::json) as m(position int, id uuid, role text, content json, reasoning text, tool_calls json,
     tool_call_id text, name text, event json, usage json, model text, finish_reason text, tokens int, counted boolean)${from}
   order by m.position`;

/** Messages about to be written, with all that the database will say of them. */
export function draftMessages(messages: readonly NewMessage[]): {
  json: string;
  tokens: number;
  entries: (lastSeq: number) => CountedEntry[];
} {
  const drafts = records(messages);
  return {
    json: JSON.stringify(drafts),
    tokens: drafts.reduce((sum, { tokens }) => sum + tokens, 0),
    entries: (lastSeq) =>
      drafts.map((draft) => ({
        id: draft.id,
        seq: lastSeq + draft.position,
        role: draft.role,
        content: draft.content,
        toolCalls: draft.tool_calls,
        toolCallId: draft.tool_call_id,
        name: draft.name,
        tokens: draft.tokens,
        counted: draft.counted,
      })),
  };
}

/** Messages under this many bytes are loaded as they are. */
const LIGHT_BYTES = 65_536;
/** From so many bytes of newer messages on, attachments stay in the database: the model is told their names alone. */
const HEAVY_AFTER_BYTES = 8 * 1024 * 1024;

/**
 * The messages of a model's context, with $1 the Space and $2 the session. A long session with pictures has hundreds of
 * megabytes of them, and the model is shown the newest alone: the others are not loaded.
 */
export const selectContext = (afterSeq: string): string =>
  `select id, seq, role, case when newer > ${HEAVY_AFTER_BYTES} and bytes > ${LIGHT_BYTES} then (
       select coalesce(json_agg(case item->>'type'
         when 'image_url' then json_build_object('type', 'text', 'text', '[image]')
         when 'audio' then json_build_object('type', 'text', 'text', '[audio]')
         else item end), '[]') from json_array_elements(content) item) else content end as content,
     tool_calls, tool_call_id, name, tokens, counted
   from (
     select *, sum(bytes) over (order by seq desc) - bytes as newer from messages
     where space_id = $1 and session_id = $2 and role <> 'event' and seq > ${afterSeq}) found
   order by seq`;

/** Transcripts. Hot path: SQL on `pg`, prepared by name where every turn takes it. */
@Injectable()
export class MessagesRepository {
  /** Appends at the seqs after `lastSeq`, which `sessions.grow` has reserved. */
  append(
    tx: Tx,
    spaceId: string,
    at: { sessionId: string; turnId: string | null; lastSeq: number },
    messages: readonly NewMessage[],
  ): Promise<MessageRow[]> {
    return tx.prepared<MessageRow>(
      'message-append',
      `${insertMessages({ space: '$1', session: '$2', turn: '$3', lastSeq: '$4', records: '$5' })} returning ${COLUMNS}`,
      [spaceId, at.sessionId, at.turnId, at.lastSeq, JSON.stringify(records(messages))],
    );
  }

  /** Oldest first; a page ends early where it would grow too heavy. */
  page(
    tx: Tx,
    spaceId: string,
    { sessionId, turnId = null }: { sessionId: string; turnId?: string | null },
    after: number,
    limit: number,
  ): Promise<MessageRow[]> {
    return tx.query<MessageRow>(
      `select ${COLUMNS} from (
         select *, sum(bytes) over (order by seq) as weight from (
           select * from messages where space_id = $1 and session_id = $2 and seq > $3 and ($6::uuid is null or turn_id = $6) order by seq limit $4) found) weighed
       where weight <= $5 or weight = bytes order by seq`,
      [spaceId, sessionId, after, limit, PAGE_BYTES, turnId],
    );
  }

  /** The last ones before a seq, oldest first; begins later where the page would grow too heavy. */
  pageBefore(tx: Tx, spaceId: string, sessionId: string, before: number, limit: number): Promise<MessageRow[]> {
    return tx.query<MessageRow>(
      `select ${COLUMNS} from (
         select *, sum(bytes) over (order by seq desc) as weight from (
           select * from messages where space_id = $1 and session_id = $2 and seq < $3 order by seq desc limit $4) found) weighed
       where weight <= $5 or weight = bytes order by seq`,
      [spaceId, sessionId, before, limit, PAGE_BYTES],
    );
  }

  async seqOf(tx: Tx, spaceId: string, sessionId: string, messageId: string): Promise<number | null> {
    const row = await tx.one<{ seq: number }>(
      `select seq from messages where space_id = $1 and session_id = $2 and id = $3`,
      [spaceId, sessionId, messageId],
    );
    return row?.seq ?? null;
  }

  /** The newest message of a turn, and whether another turn has added messages since. */
  lastOfTurn(
    tx: Tx,
    spaceId: string,
    sessionId: string,
    turnId: string,
  ): Promise<{ seq: number; isLatest: boolean } | null> {
    return tx.one<{ seq: number; isLatest: boolean }>(
      `select m.seq, not exists (select 1 from messages l
         where l.space_id = $1 and l.session_id = $2 and l.seq > m.seq and l.role = 'user') as is_latest
       from messages m where m.space_id = $1 and m.session_id = $2 and m.turn_id = $3 order by m.seq desc limit 1`,
      [spaceId, sessionId, turnId],
    );
  }

  /** Messages of the model's context: everything after the summary. */
  contextEntries(tx: Tx, spaceId: string, sessionId: string, afterSeq: number): Promise<CountedEntry[]> {
    return tx.prepared<CountedEntry>('message-context', selectContext('$3'), [spaceId, sessionId, afterSeq]);
  }

  async contextTokens(tx: Tx, spaceId: string, sessionId: string, afterSeq: number): Promise<number> {
    const [row] = await tx.prepared<{ tokens: number }>(
      'message-tokens',
      `select coalesce(sum(tokens), 0) as tokens from messages
       where space_id = $1 and session_id = $2 and seq > $3 and role <> 'event'`,
      [spaceId, sessionId, afterSeq],
    );
    return row?.tokens ?? 0;
  }

  async storeCounts(
    tx: Tx,
    spaceId: string,
    sessionId: string,
    counts: readonly { seq: number; tokens: number }[],
  ): Promise<void> {
    await tx.query(
      `update messages m set tokens = c.tokens, counted = true from json_to_recordset($3::json) as c(seq int, tokens int)
       where m.space_id = $1 and m.session_id = $2 and m.seq = c.seq`,
      [spaceId, sessionId, JSON.stringify(counts)],
    );
  }

  /** Copies a transcript up to a seq, under new ids. */
  copy(tx: Tx, spaceId: string, from: { sessionId: string; upTo: number }, toSessionId: string): Promise<number> {
    return tx.count(
      `insert into messages (space_id, id, session_id, turn_id, seq, role, content, reasoning, tool_calls, tool_call_id, name, event,
         usage, model, finish_reason, tokens, counted, bytes, created_at)
       select space_id, gen_random_uuid(), $3, turn_id, seq, role, content, reasoning, tool_calls, tool_call_id, name, event, usage,
         model, finish_reason, tokens, counted, bytes, created_at
       from messages where space_id = $1 and session_id = $2 and seq <= $4`,
      [spaceId, from.sessionId, toSessionId, from.upTo],
    );
  }
}
