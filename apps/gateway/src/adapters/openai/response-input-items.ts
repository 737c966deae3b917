import { type ContentItem, type Ctx, lending, SessionCalls, type TurnRecord } from '@switchyard/contracts';
import { invalid, type JsonObject } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { callName, type SegmentName } from '../../turn-events/client-call-ids';
import type { ToolAnswers, ToolAnswer } from './tool-answers';
import type { InputItemsQuery } from './openai.dto';

const part = (item: ContentItem): JsonObject => {
  switch (item.type) {
    case 'text':
      return { type: 'input_text', text: item.text ?? '' };
    case 'image_url':
      return { type: 'input_image', image_url: item.image_url?.url ?? '', detail: item.image_url?.detail ?? 'auto' };
    case 'audio':
      return { type: 'input_audio', audio_url: item.audio_url?.url ?? '' };
    case 'file':
      return { type: 'input_file', ...item.file_info };
  }
};

const stringOrJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** Input of a turn's first response: the user message. Empty if it was not stored. */
export async function firstInput(bus: Bus, ctx: Ctx, { id: turnId, sessionId }: TurnRecord): Promise<JsonObject[]> {
  if (sessionId === null) return [];
  const { items } = await bus.call(SessionCalls.listMessages, ctx, { sessionId, turnId, limit: 1 });
  return items
    .filter(({ role }) => role === 'user')
    .map(({ id, content }) => ({
      id: `in_${id}`,
      type: 'message',
      role: 'user',
      status: 'completed',
      content: content.map(part),
    }));
}

/** Input of a later response: the client's results for the previous one's calls. */
export async function laterInput(
  bus: Bus,
  ctx: Ctx,
  { turnId, segment }: SegmentName,
  { given }: ToolAnswers,
): Promise<JsonObject[]> {
  const outputs: JsonObject[] = [];
  for (const [at, answer] of given.entries()) {
    const output = await outputOf(bus, ctx, turnId, answer);
    if (output === null) continue;
    const call = 'callId' in answer ? { callId: answer.callId } : { interactionId: answer.interactionId };
    outputs.push({
      id: `in_${turnId}_${segment}_${at}`,
      type: 'function_call_output',
      call_id: callName({ turnId, segment: segment - 1, ...call }),
      output,
      status: 'completed',
    });
  }
  return outputs;
}

/** Null without an answer: the call timed out, or the turn was cancelled. */
async function outputOf(bus: Bus, ctx: Ctx, turnId: string, answer: ToolAnswer): Promise<string | null> {
  if ('callId' in answer) return answer.result === undefined ? null : stringOrJson(answer.result);
  const { interactionId } = answer;
  const { interaction } = await bus.call(SessionCalls.getTurn, lending(ctx, SessionCalls.getTurn), {
    turnId,
    interactionId,
  });
  if (interaction?.status !== 'ANSWERED') return null;
  const { selectedOptionIds = [], otherText = null } = interaction;
  return JSON.stringify({ selectedOptionIds, otherText });
}

/** A page of items, which are given oldest first. */
export function pageOf(
  items: readonly JsonObject[],
  { limit = 20, order = 'desc', after }: InputItemsQuery,
): JsonObject {
  const all = order === 'asc' ? [...items] : items.toReversed();
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) throw invalid('after', 'is not the id of an input item of this response');
  const data = all.slice(from, from + limit);
  const ids = data.map(({ id }) => id);
  const hasMore = from + limit < all.length;
  return { object: 'list', data, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null, has_more: hasMore };
}
