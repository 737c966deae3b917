import type { ModelToolCall } from '@switchyard/contracts';
import { type TracedMessage, type TracedPart, TEXT_CHARACTERS, isPlainObject } from '@switchyard/kernel';

/** A model's output, as far as it was received. */
export interface TracedOutput {
  text: string;
  reasoning: string;
  toolCalls: readonly ModelToolCall[];
  finishReason: string | null;
}

const ROLES: Readonly<Record<string, TracedMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

const FINISH: Readonly<Record<string, string>> = { tool_calls: 'tool_call', function_call: 'tool_call' };

/** A message to a model, in OpenAI's spelling (of either of its ways) or ours, in the schema of the conventions. */
export function messageOf(message: unknown): TracedMessage {
  if (typeof message === 'string') return { role: 'user', parts: [textPart(message)] };
  if (!isPlainObject(message)) return { role: 'user', parts: [] };
  const item = itemOf(message);
  if (item !== null) return item;
  const role = ROLES[String(message['role'])] ?? 'user';
  const callId = message['toolCallId'] ?? message['tool_call_id'];
  const name = typeof message['name'] === 'string' ? { name: message['name'] } : {};
  if (role === 'tool') {
    const response = message['content'] ?? '';
    return { role, ...name, parts: [{ type: 'tool_call_response', id: callId ?? null, response }] };
  }
  const calls = message['toolCalls'] ?? message['tool_calls'];
  return {
    role,
    ...name,
    parts: [...contentParts(message['content']), ...(Array.isArray(calls) ? (calls as unknown[]).map(callPart) : [])],
  };
}

export function answerOf({ text, reasoning, toolCalls, finishReason }: TracedOutput): TracedMessage {
  return {
    role: 'assistant',
    parts: [
      ...(reasoning === '' ? [] : [{ type: 'reasoning', content: reasoning }]),
      ...(text === '' ? [] : [textPart(text)]),
      ...toolCalls.map(callPart),
    ],
    // The schema asks for a reason: an answer that was broken off has none of its own.
    finish_reason: finishReason === null ? 'error' : (FINISH[finishReason] ?? finishReason),
  };
}

const textPart = (content: string): TracedPart => ({ type: 'text', content });

/** The items of the Responses API that are no messages. */
function itemOf(item: Readonly<Record<string, unknown>>): TracedMessage | null {
  if (item['type'] === 'function_call') return { role: 'assistant', parts: [callPart(item)] };
  if (item['type'] !== 'function_call_output') return null;
  const response = item['output'] ?? '';
  return { role: 'tool', parts: [{ type: 'tool_call_response', id: item['call_id'] ?? null, response }] };
}

function contentParts(content: unknown): TracedPart[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content)];
  return Array.isArray(content) ? (content as unknown[]).map(contentPart) : [];
}

/**
 * Bytes of images, sounds and files are left out: only that they were there is said, and the address of those by
 * address.
 */
function contentPart(part: unknown): TracedPart {
  if (typeof part === 'string') return textPart(part);
  if (!isPlainObject(part)) return textPart('');
  const type = String(part['type']);
  if (typeof part['text'] === 'string') return textPart(part['text']);
  const image = isPlainObject(part['image_url']) ? part['image_url']['url'] : part['image_url'];
  if (typeof image === 'string' && !image.startsWith('data:')) return { type: 'uri', modality: 'image', uri: image };
  return textPart(`[${type.slice(0, 64)} left out]`);
}

function callPart(call: unknown): TracedPart {
  if (!isPlainObject(call)) return { type: 'tool_call', id: null, name: '', arguments: null };
  const called = isPlainObject(call['function']) ? call['function'] : call;
  return {
    type: 'tool_call',
    id: call['call_id'] ?? call['id'] ?? null,
    name: called['name'] ?? '',
    arguments: argumentsOf(called['arguments']),
  };
}

/** Read only where that is quick: longer ones are cut as the text that they are. */
function argumentsOf(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > TEXT_CHARACTERS) return text ?? null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
