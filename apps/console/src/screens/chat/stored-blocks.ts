import type { Message } from '@switchyard/client';
import type { Block } from '../../api/live-turn';
import { filesOf, picturesOf } from './attachments';

export interface Entry {
  key: string;
  role: 'user' | 'assistant' | 'event';
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

/** Stored messages as the transcript shows them: what an assistant said and did in one turn is one entry. */
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
    const last = entries.at(-1);
    const joins = message.role === 'assistant' && last?.role === 'assistant' && last.turnId === message.turnId;
    const entry = joins ? last : begin(message);
    if (!joins) entries.push(entry);
    entry.messageId = message.id;
    entry.blocks.push(...blocksOf(message));
    entry.tokens = (entry.tokens ?? 0) + (message.tokenUsage?.totalTokens ?? 0);
  }
  return entries.filter(({ role, blocks }) => role !== 'event' || blocks.length > 0);
}

const begin = (message: Message): Entry => ({
  key: message.id,
  role: message.role === 'user' ? 'user' : message.role === 'event' ? 'event' : 'assistant',
  messageId: message.id,
  turnId: message.turnId,
  blocks: [],
  pictures: picturesOf(message.content),
  files: filesOf(message.content),
  at: message.createdAt,
  tokens: null,
});

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
