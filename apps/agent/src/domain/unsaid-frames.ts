import {
  type Evidence,
  type FrameBody,
  messageFinishFrame,
  productFrame,
  toolCallFrames,
  type ToolExecution,
  toolFailedFrame,
  toolFinishedFrame,
  toolStartedFrame,
} from '@switchyard/contracts';
import type { HeardFrames, HeardMessage } from './heard-frames';
import { announce, finishBlock, inBlock } from './open-message';
import { refusedIn, saidSteps } from './said-steps';
import { begunCalls } from './tool-calls';
import { NO_USAGE, openMessage, type StepMessage, type TurnState } from './turn-state';

/** What is known of what a turn has said, whoever knows it: its state, or what its holder left with it. */
export interface SaidTurn {
  steps: readonly StepMessage[];
  /** Messages that were taken back: they are none of the steps. */
  refused: readonly string[];
  executions: readonly ToolExecution[];
  /** Tools that were announced and are not done: the turn waits with them. */
  begun: readonly ToolExecution[];
  evidence: readonly Evidence[];
}

/** The same of a turn that goes on. */
export const saidSoFar = ({ steps, executions, calls, evidence }: TurnState): SaidTurn => ({
  steps: saidSteps(steps),
  refused: refusedIn(steps),
  executions,
  begun: begunCalls(calls),
  evidence,
});

/** The most that one frame of a text has of it, in characters. */
const DELTA_CHARS = 16 * 1024;

/**
 * What a turn had said and its log never got, since whoever said it was lost before the log had it: the rest of the
 * message that was under way, and the steps behind it. The text is what is stored, and no other; what is open and not
 * stored is closed as it stands. The same log and the same turn give the same frames, whoever writes them.
 *
 * Steps before the last one that was heard of were told, and are not looked at. `inPieces` is false where there must not
 * be more frames than the lost ones were: then a text is one frame.
 */
export function unsaidFrames(
  heard: HeardFrames,
  { steps, refused, executions, begun, evidence }: SaidTurn,
  inPieces = true,
): FrameBody[] {
  const from = steps.findLastIndex(
    (step) => heard.message(step.id) !== undefined || heard.call(step.toolCallId).done !== undefined,
  );
  const frames: FrameBody[] = [];
  // A message that left nothing behind: it was void, or its text is kept nowhere.
  const { open } = heard;
  const refusedHere = refused.map((id) => heard.message(id)).find((message) => message !== undefined);
  if (refusedHere) {
    if (!refusedHere.isCut) frames.push(productFrame('stepRestarted', { from_seq: refusedHere.seq }));
  } else if (open && !steps.some(({ id }) => id === open.id)) {
    // Where steps follow, they are another telling of it.
    if (steps.length > from + 1 && (from >= 0 || heard.isWhole))
      frames.push(productFrame('stepRestarted', { from_seq: open.seq }));
    else if (!open.isCut) frames.push(...closeMessage(open));
  }
  // The log begins somewhere in the middle, and nothing in it says where.
  if (from < 0 && !heard.isWhole) return frames;
  if (from < 0 && evidence.length > 0 && !heard.hasEvidence)
    frames.push(productFrame('knowledgeEvidence', { items: evidence }));
  for (const step of steps.slice(Math.max(0, from))) {
    if (step.role === 'assistant') frames.push(...restOfMessage(heard.message(step.id), step, inPieces));
    else {
      const execution = executions.find(({ tool_call_id }) => tool_call_id === step.toolCallId);
      if (execution) frames.push(...restOfCall(heard, execution));
    }
  }
  for (const execution of begun) frames.push(...beginningOf(heard, execution));
  return frames;
}

const closeMessage = (open: HeardMessage): FrameBody[] => [
  ...finishBlock({ open, frames: [] }).frames,
  messageFinishFrame(NO_USAGE),
];

const DELTAS = { text: 'contentDelta', reasoning: 'reasoningDelta' } as const;
type Said = keyof typeof DELTAS;

function restOfMessage(heard: HeardMessage | undefined, step: StepMessage, inPieces: boolean): FrameBody[] {
  if (heard?.isFinished || heard?.isCut) return [];
  const id = step.id ?? '';
  let spoken = announce(heard ?? openMessage(id), step.model ?? '');
  // Models think before they speak; but what is under way comes first.
  const order: Said[] = heard?.block?.type === 'text' ? ['text', 'reasoning'] : ['reasoning', 'text'];
  for (const type of order) {
    const rest = restOf(spoken.open[type], step[type] ?? '');
    if (rest === '') continue;
    const { open, frames } = inBlock(spoken, type);
    const deltas = (inPieces ? piecesOf(rest) : [rest]).map((delta) =>
      productFrame(DELTAS[type], { delta, message_id: id }),
    );
    spoken = { open: { ...open, [type]: open[type] + rest }, frames: [...frames, ...deltas] };
  }
  const { open, frames } = finishBlock(spoken);
  (step.toolCalls ?? []).forEach((call, at) => {
    const [begin, finish] = toolCallFrames(open.blocks + at, call);
    if (!heard?.begunCalls.has(call.id)) frames.push(begin);
    if (!heard?.calls.has(call.id)) frames.push(finish);
  });
  return [...frames, messageFinishFrame(step.usage ?? NO_USAGE)];
}

/** Nothing, where what was heard is not how the stored text begins: the end of another text would be no end of it. */
const restOf = (heard: string, stored: string): string => (stored.startsWith(heard) ? stored.slice(heard.length) : '');

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + DELTA_CHARS, text.length);
    // A pair of surrogates stays together.
    if (to < text.length && /[\ud800-\udbff]/.test(text.charAt(to - 1))) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function beginningOf(heard: HeardFrames, execution: ToolExecution): FrameBody[] {
  const { tool_call_id: id, name, arguments: args } = execution;
  const { started, shown } = heard.call(id);
  return [
    ...(started === undefined ? [toolStartedFrame(id, name, args)] : []),
    ...(shown === undefined ? [productFrame('toolExecution', execution)] : []),
  ];
}

function restOfCall(heard: HeardFrames, execution: ToolExecution): FrameBody[] {
  const { tool_call_id: id, name, source, status, arguments: args, result, error } = execution;
  const { settled, done } = heard.call(id);
  if (done !== undefined) return [];
  const frames: FrameBody[] = [];
  // What was skipped before it began has no time.
  if (execution.duration_ms !== undefined && settled === undefined)
    frames.push(
      ...beginningOf(heard, { tool_call_id: id, name, source, status: 'started', arguments: args }),
      status === 'succeeded'
        ? toolFinishedFrame(id, result)
        : toolFailedFrame(id, error?.message ?? '', error?.code ?? ''),
    );
  return [...frames, productFrame('toolExecution', execution)];
}
