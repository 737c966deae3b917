import type { ContentItem, NewMessage } from '@switchyard/contracts';
import { AppError, invalid } from '@switchyard/kernel';
import type { WaitingCall } from './client-call-ids';
import type { InputItem } from './client-input-item';

export interface CallAnswer {
  call: WaitingCall;
  output: string;
}

/** The action of a client's input: answers to pending calls, or a new message. */
export type ReadInput =
  | { kind: 'answers'; answers: CallAnswer[] }
  | {
      kind: 'said';
      /** Null where the newest thing is no user message: the history ends with a tool's answer. */
      contents: ContentItem[] | null;
      history: NewMessage[];
      instructions: string | null;
      /** The turn that items of the input belong to: its conversation continues. */
      ownTurn: string | null;
    };

const isOutput = (item: InputItem): item is Extract<InputItem, { kind: 'output' }> => item.kind === 'output';

/** `canGoOn`: earlier output items may be left out, since their conversation is stored. */
export function readInput(items: InputItem[], field: string, canGoOn: boolean): ReadInput {
  const last = items.findLastIndex((item) => !isOutput(item)) + 1;
  const outputs = items.slice(last).filter(isOutput);
  const answers = outputs.flatMap(({ waits, output }) => (waits ? [{ call: waits, output }] : []));
  if (answers.length > 0 && answers.length < outputs.length)
    throw invalid(field, 'holds outputs of calls that wait beside outputs of others');
  if (answers.length > 0) return { kind: 'answers', answers };
  const lastOwn = canGoOn ? items.findLastIndex(({ ownTurn }) => ownTurn !== null) : -1;
  const fresh = items.slice(lastOwn + 1);
  const instructions = items.flatMap((item) => (item.kind === 'instructions' ? item.contents : []));
  const messages = fresh.filter(({ kind }) => kind !== 'instructions' && kind !== 'known');
  const newest = messages.at(-1);
  if (canGoOn && newest?.kind === 'output')
    throw new AppError('NOT_FOUND', `No call waits for an output under the call_id ${newest.id.slice(0, 100)}.`);
  if (newest?.kind !== 'user' && newest?.kind !== 'output')
    throw invalid(field, 'must end with what the user says, or with outputs of calls');
  const isMessage = newest.kind === 'user';
  return {
    kind: 'said',
    contents: isMessage ? newest.contents : null,
    history: historyOf(isMessage ? messages.slice(0, -1) : messages),
    instructions: instructions.length > 0 ? instructions.map((item) => item.text ?? '').join('\n\n') : null,
    ownTurn: items[lastOwn]?.ownTurn ?? null,
  };
}

const ID_MAX = 200;
const idOf = (id: string): string => id.slice(-ID_MAX);

/** Consecutive calls belong to one message, as models expect them. */
function historyOf(items: readonly InputItem[]): NewMessage[] {
  const messages: NewMessage[] = [];
  for (const item of items) {
    const before = messages.at(-1);
    if (item.kind === 'user' || item.kind === 'assistant') messages.push({ role: item.kind, content: item.contents });
    else if (item.kind === 'output')
      messages.push({ role: 'tool', content: [{ type: 'text', text: item.output }], toolCallId: idOf(item.id) });
    else if (item.kind === 'call') {
      const call = { id: idOf(item.id), name: item.name, arguments: item.arguments };
      if (before?.role === 'assistant') before.toolCalls = [...(before.toolCalls ?? []), call];
      else messages.push({ role: 'assistant', content: [], toolCalls: [call] });
    }
  }
  return messages;
}
