import {
  type Evidence,
  type FrameBody,
  inputRequestedFrame,
  type InteractionRecord,
  lifecycleFrame,
  messageFinishFrame,
  productFrame,
  type ProductFields,
  toolCallFrames,
} from '@switchyard/contracts';
import { isUndecided } from './approval-form';
import { announce, finishBlock, appendText } from './streaming-message';
import { finishCall, openCalls } from './tool-calls';
import { end } from './turn-ending';
import {
  addUsage,
  type Failure,
  type OpenCall,
  openMessage,
  type OpenMessage,
  type ToolOutcome,
  type TurnFacts,
  type TurnState,
} from './turn-state';
import type { Effect, Step, Update } from './turn-update';

/** A turn as a pure function: state and update in, state, frames and effects out. Nothing else moves a turn. */
export function advance(facts: TurnFacts, state: TurnState, update: Update): Step {
  if (state.phase === 'closing' || state.phase === 'closed') return { state, frames: [], effects: [] };
  switch (update.type) {
    case 'begin':
      return begin(facts, state);
    case 'retrieved':
      return retrieved(state, update.items);
    case 'model-called':
      return {
        state: {
          ...state,
          phase: 'model',
          open: openMessage(update.messageId),
        },
        frames: [],
        effects: [],
      };
    case 'delta':
      return appendText(state, 'text', update.text);
    case 'reasoning':
      return appendText(state, 'reasoning', update.text);
    case 'model-finished':
      return modelFinished(facts, state, update);
    case 'tools-started':
      return openCalls(state, update.at);
    case 'tool-settled':
      return toolSettled(state, update);
    case 'asked':
      return onQuestion(facts, state, update.interaction);
    case 'answered':
      return answered(facts, state, update);
    case 'decided':
      return decided(facts, state, update);
    case 'taken-over':
      return takenOver(facts, state, update);
    case 'failed':
      return end(state, {
        status: 'FAILED',
        finishReason: 'error',
        error: failureOf(update),
      });
    case 'cancelled':
      return end(state, { status: 'CANCELLED', finishReason: 'cancelled', error: null });
  }
}

const failureOf = ({ code, message, retryable, retryAt }: Failure): Failure => ({
  code,
  message,
  retryable,
  ...(retryAt === undefined ? {} : { retryAt }),
});

const sessionFields = (facts: TurnFacts): ProductFields<'sessionStarted'> => ({
  session_id: facts.sessionId,
  turn_id: facts.turnId,
  agent_id: facts.agentId,
  ...(facts.metadata ? { metadata: facts.metadata } : {}),
  // The text of the answer may be taken back: one that does not fit its schema is repaired.
  ...(facts.structured ? { structured: true } : {}),
});

function begin(facts: TurnFacts, state: TurnState): Step {
  const frames = [
    lifecycleFrame(facts.agentName, 'started'),
    productFrame('sessionStarted', sessionFields(facts)),
    lifecycleFrame(facts.agentName, 'running'),
  ];
  return facts.hasKnowledge
    ? { state: { ...state, phase: 'retrieving' }, frames, effects: [{ type: 'retrieve' }] }
    : { state, frames, effects: [{ type: 'call-model' }] };
}

function retrieved(state: TurnState, items: Evidence[]): Step {
  const frames = items.length === 0 ? [] : [productFrame('knowledgeEvidence', { items })];
  return {
    state: { ...state, phase: 'model', evidence: [...state.evidence, ...items] },
    frames,
    effects: [{ type: 'call-model' }],
  };
}

function modelFinished(facts: TurnFacts, state: TurnState, update: Extract<Update, { type: 'model-finished' }>): Step {
  const { open, frames } = finishBlock(announce(state.open ?? openMessage(''), update.model));
  const called: TurnState = {
    ...state,
    open: null,
    step: state.step + 1,
    usage: addUsage(state.usage, update.usage),
    model: update.model,
    steps: [
      ...state.steps,
      {
        id: open.id,
        role: 'assistant',
        text: open.text,
        ...(open.reasoning === '' ? {} : { reasoning: open.reasoning }),
        ...(update.toolCalls.length > 0
          ? { toolCalls: update.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })) }
          : {}),
        usage: update.usage,
        model: update.model,
        finishReason: update.finishReason,
      },
    ],
  };
  if (update.toolCalls.length > 0) return callsRequested(facts, called, update, open, frames);
  frames.push(messageFinishFrame(update.usage));
  if (update.answerCheck?.ok === false) return repairOrFail(facts, called, update.answerCheck, frames);
  const done = { status: 'COMPLETED', finishReason: update.finishReason, error: null } as const;
  const ended = end(called, update.answerCheck ? { ...done, output: update.answerCheck.output } : done);
  return { ...ended, frames: [...frames, ...ended.frames] };
}

/** The model asks for tools. Those that may run are stored as started before they start. */
function callsRequested(
  facts: TurnFacts,
  state: TurnState,
  update: Extract<Update, { type: 'model-finished' }>,
  open: OpenMessage,
  frames: FrameBody[],
): Step {
  update.toolCalls.forEach((call, at) => frames.push(...toolCallFrames(open.blocks + at, call)));
  frames.push(messageFinishFrame(update.usage));
  const calls: OpenCall[] = update.toolCalls.map((call) => ({ ...call, state: 'pending' }));
  const next: TurnState = { ...state, phase: 'tools', calls };
  if (state.step >= facts.maxSteps) {
    const ended = end(next, { status: 'COMPLETED', finishReason: 'max_steps', error: null });
    return { ...ended, frames: [...frames, ...ended.frames] };
  }
  const started: TurnState = {
    ...next,
    calls: calls.map((call) => (call.approval ? call : { ...call, state: 'started' })),
  };
  return {
    state: started,
    frames,
    effects: [{ type: 'save' }, { type: 'run-tools', callIds: calls.map((call) => call.id) }],
  };
}

function repairOrFail(
  facts: TurnFacts,
  state: TurnState,
  refused: { problem: string; fromSeq: number },
  frames: FrameBody[],
): Step {
  if (state.repairs > 0 || state.step >= facts.maxSteps) {
    const message =
      'The model did not answer with JSON that matches the responseSchema. Try again, or loosen the schema.';
    const ended = end(state, {
      status: 'FAILED',
      finishReason: 'error',
      error: { code: 'RUNTIME_UNAVAILABLE', message, retryable: true },
    });
    return { ...ended, frames: [...frames, ...ended.frames] };
  }
  const steps = [...state.steps, { role: 'repair' as const, text: refused.problem }];
  return {
    state: { ...state, steps, repairs: state.repairs + 1 },
    // Its words are out: readers are told that they do not count, as after a crash.
    frames: [...frames, productFrame('stepRestarted', { from_seq: refused.fromSeq })],
    effects: [{ type: 'call-model' }],
  };
}

function toolSettled(state: TurnState, update: Extract<Update, { type: 'tool-settled' }>): Step {
  // A call that may not run begins and ends at once.
  const opened = openCalls(state, update.at, update.callId);
  const { state: next, frames } = finishCall(opened.state, update);
  return { state: next, frames: [...opened.frames, ...frames], effects: afterCalls(next) };
}

/** Next action after calls have ended: the next question, the next model call, or waiting for other tools. */
export function afterCalls(state: TurnState): Effect[] {
  if (state.calls.some((call) => call.state === 'started' && call.name !== 'ask_user')) return [{ type: 'save' }];
  return nextQuestion(state) ?? [{ type: 'save' }, { type: 'call-model' }];
}

/** One interaction at a time: approvals come before questions. Null where there is nothing to ask. */
export function nextQuestion(state: TurnState): Effect[] | null {
  if (state.calls.some((call) => isUndecided(call))) return [{ type: 'ask-approval' }];
  const question = state.calls.find((call) => call.state !== 'done');
  return question ? [{ type: 'ask', callId: question.id }] : null;
}

function onQuestion(facts: TurnFacts, state: TurnState, interaction: InteractionRecord): Step {
  const frames = [
    inputRequestedFrame(interaction),
    productFrame('agentInputRequired', { interaction }),
    lifecycleFrame(facts.agentName, 'interrupted'),
    productFrame('streamEnded', { status: 'WAITING_INPUT' }),
  ];
  return { state: { ...state, phase: 'waiting', interaction }, frames, effects: [] };
}

/** How many frames a pause writes after it has been stored. */
export const PAUSE_FRAMES = 4;

function answered(facts: TurnFacts, state: TurnState, update: Extract<Update, { type: 'answered' }>): Step {
  const resumed: TurnState = { ...state, phase: 'tools', interaction: null };
  const { state: next, frames } = finishCall(resumed, {
    callId: update.callId,
    outcome: { status: 'succeeded', output: update.output },
    at: update.at,
  });
  return { state: next, frames: [lifecycleFrame(facts.agentName, 'running'), ...frames], effects: afterCalls(next) };
}

/** Approved calls may run now, and once; those that were shown and not approved are over. */
function decided(facts: TurnFacts, state: TurnState, update: Extract<Update, { type: 'decided' }>): Step {
  const { approved, shown, denial, at } = update;
  const frames: FrameBody[] = [lifecycleFrame(facts.agentName, 'running')];
  const open = state.calls.filter((call) => isUndecided(call) && shown.includes(call.id));
  const granted = open.filter(({ id }) => approved.has(id)).map(({ id }) => id);
  let next: TurnState = {
    ...state,
    phase: 'tools',
    interaction: null,
    calls: state.calls.map((call) =>
      call.approval && granted.includes(call.id)
        ? { ...call, state: 'started', approval: { ...call.approval, decision: 'APPROVED' } }
        : call,
    ),
  };
  for (const { id } of open) {
    if (granted.includes(id)) continue;
    const outcome: ToolOutcome = { status: 'skipped', code: 'DENIED', message: denial };
    const settled = finishCall(next, { callId: id, outcome, at });
    next = settled.state;
    frames.push(...settled.frames);
  }
  const effects: Effect[] =
    granted.length > 0 ? [{ type: 'save' }, { type: 'run-tools', callIds: granted }] : afterCalls(next);
  return { state: next, frames, effects };
}

/**
 * After a crash: what the dead replica said since the last checkpoint is void, what it may have done is not repeated.
 */
function takenOver(facts: TurnFacts, state: TurnState, update: Extract<Update, { type: 'taken-over' }>): Step {
  const frames: FrameBody[] = [
    productFrame('stepRestarted', { from_seq: update.fromSeq }),
    lifecycleFrame(facts.agentName, 'running'),
  ];
  let next: TurnState = { ...state, open: null };
  if (state.phase === 'retrieving') return { state: next, frames, effects: [{ type: 'retrieve' }] };
  if (state.calls.every((call) => call.state === 'done')) {
    return { state: { ...next, phase: 'model' }, frames, effects: [{ type: 'call-model' }] };
  }
  const rerun: string[] = [];
  for (const call of state.calls) {
    if (call.state === 'done' || call.name === 'ask_user' || isUndecided(call)) continue;
    // A tool of the host was announced before; its answer may still come.
    if (call.state === 'started' && runsOnce(call) && call.source !== 'local' && !mayRunAgain(call)) {
      const outcome: ToolOutcome = {
        status: 'failed',
        code: 'TOOL_INTERRUPTED',
        message:
          'The tool had started when its runtime was lost; whether it took effect is not known. It was not run again.',
      };
      const settled = finishCall(next, { callId: call.id, outcome, at: update.at });
      next = settled.state;
      frames.push(...settled.frames);
    } else {
      rerun.push(call.id);
    }
  }
  const effects: Effect[] =
    rerun.length > 0 ? [{ type: 'save' }, { type: 'run-tools', callIds: rerun }] : afterCalls(next);
  return { state: { ...next, phase: 'tools' }, frames, effects };
}

/** An approval is for one run, also of a tool that is said to change nothing. */
const runsOnce = (call: OpenCall): boolean => call.action || call.approval !== undefined;

/** A person has said that it shall run, and it cannot take effect twice. */
const mayRunAgain = (call: OpenCall): boolean => call.approval !== undefined && call.once === true;
