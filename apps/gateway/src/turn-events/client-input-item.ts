import type { ContentItem } from '@switchyard/contracts';
import { readCallName, type WaitingCall } from './client-call-ids';
import { textsOf } from './read-content-items';
import { optionalText, stringOf } from './read-json-fields';

/** An item of a client's input: a new message, or one of the conversation so far. */
export type InputItem =
  | { kind: 'user' | 'assistant' | 'instructions'; contents: ContentItem[]; ownTurn: string | null }
  | { kind: 'call'; id: string; name: string; arguments: unknown; ownTurn: string | null }
  | { kind: 'output'; id: string; output: string; waits: WaitingCall | null; ownTurn: string | null }
  | { kind: 'known'; ownTurn: string | null };

export function outputOf(callId: string, output: unknown, path: string): InputItem {
  const waits = readCallName(callId);
  return { kind: 'output', id: callId, output: textsOf(output, path), waits, ownTurn: waits?.turnId ?? null };
}

/** A call as it is given back. `paths` are those of its name and its arguments. */
export function callOf(
  id: string,
  name: unknown,
  args: unknown,
  paths: { name: string; arguments: string },
): InputItem {
  const text = optionalText(args, paths.arguments) ?? '';
  let read: unknown = text;
  try {
    read = text === '' ? {} : JSON.parse(text);
  } catch {
    // Arguments that are no JSON stay the text that they are.
  }
  return {
    kind: 'call',
    id,
    name: stringOf(name, paths.name),
    arguments: read,
    ownTurn: readCallName(id)?.turnId ?? null,
  };
}
