import { cleanText } from '@switchyard/kernel';
import {
  type FrameBody,
  productFrame,
  type ToolExecution,
  toolFailedFrame,
  toolFinishedFrame,
  toolStartedFrame,
} from '@switchyard/contracts';
import { isUndecided } from './approval-form';
import type { OpenCall, ToolOutcome, TurnState } from './turn-state';
import type { Step } from './turn-update';

/** Characters of one tool's output that the model gets. */
export const TOOL_OUTPUT_LIMIT = 32_000;

/** Tool output is untrusted text: it is shortened, made storable, and only shown as a tool's answer. */
export function outputText(outcome: ToolOutcome, limit = TOOL_OUTPUT_LIMIT): string {
  if (outcome.status !== 'succeeded') return `${outcome.code}: ${outcome.message}`;
  const text = cleanText(typeof outcome.output === 'string' ? outcome.output : JSON.stringify(outcome.output ?? null));
  return text.length <= limit
    ? text
    : `${text.slice(0, limit).toWellFormed()}\n[shortened: ${text.length - limit} more characters]`;
}

export const shownExecution = (call: OpenCall): ToolExecution => {
  const shown: ToolExecution = {
    tool_call_id: call.id,
    name: call.name,
    source: call.source,
    status: call.outcome?.status ?? 'started',
    arguments: call.arguments,
  };
  if (call.outcome?.status === 'succeeded') shown.result = call.outcome.output;
  else if (call.outcome) shown.error = { code: call.outcome.code, message: call.outcome.message };
  if (call.durationMs !== undefined) shown.duration_ms = call.durationMs;
  return shown;
};

/** Announces the calls that run now, or the one of them. */
export function openCalls(state: TurnState, at: number, only?: string): Step {
  const frames: FrameBody[] = [];
  const calls = state.calls.map((call) => {
    const isMeant = only === undefined || call.id === only;
    const isWithheld = only === undefined && isUndecided(call);
    if (!isMeant || isWithheld || call.state === 'done' || call.startedAt !== undefined) return call;
    const started: OpenCall = { ...call, state: 'started', startedAt: at };
    frames.push(
      toolStartedFrame(call.id, call.name, call.arguments),
      productFrame('toolExecution', shownExecution(started)),
    );
    return started;
  });
  return { state: { ...state, calls }, frames, effects: [] };
}

export function finishCall(
  state: TurnState,
  done: { callId: string; outcome: ToolOutcome; at: number },
): { state: TurnState; frames: FrameBody[] } {
  const call = state.calls.find((candidate) => candidate.id === done.callId);
  if (!call || call.state === 'done') return { state, frames: [] };
  const settled: OpenCall = { ...call, state: 'done', outcome: done.outcome };
  if (call.startedAt !== undefined) settled.durationMs = Math.max(0, done.at - call.startedAt);
  const frames: FrameBody[] = [];
  if (call.startedAt !== undefined) {
    frames.push(
      done.outcome.status === 'succeeded'
        ? toolFinishedFrame(call.id, done.outcome.output)
        : toolFailedFrame(call.id, done.outcome.message, done.outcome.code),
    );
  }
  const execution = shownExecution(settled);
  frames.push(productFrame('toolExecution', execution));
  return {
    state: {
      ...state,
      calls: state.calls.map((candidate) => (candidate.id === done.callId ? settled : candidate)),
      executions: [...state.executions, execution],
      steps: [
        ...state.steps,
        {
          role: 'tool',
          text: outputText(done.outcome),
          toolCallId: call.id,
          name: call.name,
          failed: done.outcome.status !== 'succeeded',
        },
      ],
    },
    frames,
  };
}

/** Gives every open call a result, so that no call stands in a transcript alone. */
export function settleOpenCalls(state: TurnState, code: string): { state: TurnState; frames: FrameBody[] } {
  const frames: FrameBody[] = [];
  let next = state;
  for (const call of state.calls) {
    if (call.state === 'done') continue;
    const settled = finishCall(next, {
      callId: call.id,
      outcome: { status: 'skipped', code, message: 'The turn ended before this tool was done.' },
      at: call.startedAt ?? 0,
    });
    next = settled.state;
    frames.push(...settled.frames);
  }
  return { state: next, frames };
}
