import {
  AgentCalls,
  AgentStreams,
  type Ctx,
  requireApprovalScope,
  seqOfFrame,
  SessionCalls,
  type TurnRecord,
} from '@switchyard/contracts';
import { AppError, invalid, isPlainObject, type JsonObject } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import type { CallAnswer } from './read-client-input';

/** Of one request. A turn waits for far fewer. */
const MAX_ANSWERS = 256;
const CHOICES = new Set(['approve', 'deny']);
const FIELDS = ['selectedOptionIds', 'otherText'];
const FORM = '{"selectedOptionIds": [...], "otherText": null}';

interface Choice {
  selectedOptionIds: string[];
  otherText: string | null;
}

/** An answer in its own form, of which one part may be left out. Any other object would count as no choice: refused. */
export function choiceIn(answer: unknown, path: string): Choice {
  if (!isPlainObject(answer) || !hasField(answer)) throw invalid(path, `must be ${FORM}`);
  const unknown = Object.keys(answer).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw invalid(`${path}.${unknown}`, `is not a field of an answer, which is ${FORM}`);
  const selected = answer['selectedOptionIds'] ?? [];
  const other = answer['otherText'] ?? null;
  if (!Array.isArray(selected) || !selected.every((id) => typeof id === 'string'))
    throw invalid(`${path}.selectedOptionIds`, 'must be a list of ids of options');
  if (other !== null && typeof other !== 'string') throw invalid(`${path}.otherText`, 'must be a string or null');
  return { selectedOptionIds: selected, otherText: other };
}

const hasField = (answer: JsonObject): boolean => FIELDS.some((field) => field in answer);

/**
 * The text of an answer: an answer object, or for a question any text. For an approval also a bare choice; any other
 * object is refused.
 */
export function choiceOf(output: string, isApproval: boolean): Choice {
  let read: unknown;
  try {
    read = JSON.parse(output);
  } catch {
    read = output;
  }
  if (isPlainObject(read) && (isApproval || hasField(read))) return choiceIn(read, 'output');
  const words = typeof read === 'string' ? read : output;
  return isApproval && CHOICES.has(words)
    ? { selectedOptionIds: [words], otherText: null }
    : { selectedOptionIds: [], otherText: words };
}

/** The turn that answers were handed to; whether all of them had counted before. */
interface Answered {
  turn: TurnRecord;
  isAgain: boolean;
}

/**
 * Passes answers to the waiting turn. A repeated answer does not count again. `check` validates them against the turn
 * first.
 */
export async function answerCalls(
  bus: Bus,
  ctx: Ctx,
  answers: readonly CallAnswer[],
  check: (turn: TurnRecord) => Promise<void> = () => Promise.resolve(),
): Promise<Answered> {
  const [first] = answers;
  const turnId = first?.call.turnId ?? '';
  if (answers.some(({ call }) => call.turnId !== turnId)) throw invalid('input', 'holds outputs for several turns');
  if (answers.length > MAX_ANSWERS) throw invalid('input', `must hold at most ${MAX_ANSWERS} outputs of a turn`);
  const turn = await bus.call(SessionCalls.getTurn, ctx, { turnId, withOpenCalls: true });
  await check(turn);
  let isAgain = true;
  for (const { call, output } of onceEach(answers)) {
    const counts =
      'callId' in call
        ? await submit(bus, ctx, turn, call.callId, output)
        : await resume(bus, ctx, turn, call.interactionId, output);
    if (counts) isAgain = false;
  }
  return { turn, isAgain };
}

/** The first output counts; a repeated one is not sent again. */
const onceEach = (answers: readonly CallAnswer[]): CallAnswer[] => {
  const first = new Map<string, CallAnswer>();
  for (const answer of answers) {
    const name = 'callId' in answer.call ? `call ${answer.call.callId}` : `question ${answer.call.interactionId}`;
    if (!first.has(name)) first.set(name, answer);
  }
  return [...first.values()];
};

/** Whether it counts: that of before does, where there was one. */
async function submit(bus: Bus, ctx: Ctx, turn: TurnRecord, callId: string, output: string): Promise<boolean> {
  const at = { agentId: turn.agentId, turnId: turn.id, ...(turn.sessionId ? { sessionId: turn.sessionId } : {}) };
  try {
    await bus.call(AgentCalls.submitToolResult, ctx, { ...at, callId, result: output });
    return true;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
    return false;
  }
}

async function resume(bus: Bus, ctx: Ctx, turn: TurnRecord, interactionId: string, output: string): Promise<boolean> {
  const { agentId, id: turnId, sessionId, interaction } = turn;
  const isApproval = interaction?.id === interactionId && interaction.purpose === 'approval';
  if (sessionId === null) throw new AppError('NOT_FOUND', 'Question not found.');
  if (isApproval) requireApprovalScope(ctx);
  const answer = { agentId, turnId, sessionId, interactionId, ...choiceOf(output, isApproval) };
  const reader = await bus.stream(AgentStreams.resume, ctx, answer, {});
  // It has counted once the first frame is there, of any kind.
  await reader.more();
  const [first] = reader.takeReady();
  reader.cancel();
  // If it was answered before, the reply says so instead of a stream.
  return first === undefined || first === '' || seqOfFrame(first) > 0;
}
