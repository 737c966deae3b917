import type { Message } from '@switchyard/client';
import type { Block } from '../../api/live-turn';
import { filesOf, picturesOf } from './attachments';
import { sourcesOf } from './source';

export interface Entry {
  key: string;
  role: 'user' | 'assistant';
  messageId: string | null;
  turnId: string | null;
  blocks: Block[];
  pictures: string[];
  /** Names of other things that were attached. */
  files: string[];
  at: string | null;
  tokens: number | null;
}

const textOf = (message: Message): string =>
  message.content.flatMap((item) => (item.type === 'text' && item.text ? [item.text] : [])).join('\n');

/** A tool's answer is JSON where it can be read as such. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Stored messages as the transcript shows them: sources, answers, calls and the error of one turn are one entry. */
export function entriesOf(messages: readonly Message[]): Entry[] {
  const entries: Entry[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const call = entries
        .flatMap(({ blocks }) => blocks)
        .find((block) => block.type === 'tool' && block.key === message.toolCallId);
      if (call?.type === 'tool') call.tool = { ...call.tool, status: 'succeeded', result: valueOf(textOf(message)) };
      continue;
    }
    const blocks = message.role === 'event' ? blocksOfEvent(message) : blocksOf(message);
    if (message.role === 'event' && blocks.length === 0) continue;
    const last = entries.at(-1);
    const joins = message.role !== 'user' && last?.role === 'assistant' && last.turnId === message.turnId;
    const entry = joins ? last : begin(message);
    if (!joins) entries.push(entry);
    entry.messageId = message.id;
    entry.blocks.push(...blocks);
    entry.tokens = (entry.tokens ?? 0) + (message.tokenUsage?.totalTokens ?? 0);
  }
  return entries;
}

const begin = (message: Message): Entry => ({
  key: message.id,
  role: message.role === 'user' ? 'user' : 'assistant',
  messageId: message.id,
  turnId: message.turnId,
  blocks: [],
  pictures: picturesOf(message.content),
  files: filesOf(message.content),
  at: message.createdAt,
  tokens: null,
});

/** An event is its turn's sources, or its error. */
function blocksOfEvent({ id, event = {} }: Message): Block[] {
  const items = sourcesOf(event);
  if (items.length > 0) return [{ type: 'evidence', key: id, items }];
  const { type, code, message } = event;
  if (type !== 'error' || typeof code !== 'string' || typeof message !== 'string') return [];
  return [{ type: 'error', key: id, code, message }];
}

function blocksOf(message: Message): Block[] {
  const blocks: Block[] = [];
  const text = textOf(message);
  if (message.reasoning) blocks.push({ type: 'reasoning', key: `${message.id}-reasoning`, text: message.reasoning });
  if (text !== '') blocks.push({ type: 'text', key: `${message.id}-text`, text });
  for (const call of message.toolCalls ?? [])
    blocks.push({
      type: 'tool',
      key: call.id,
      tool: {
        tool_call_id: call.id,
        name: call.name,
        source: 'builtin',
        status: 'started',
        arguments: call.arguments,
      },
    });
  return blocks;
}
