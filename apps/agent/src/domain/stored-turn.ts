import {
  type ContextStatus,
  type Evidence,
  type FrameBody,
  inputRequestedFrame,
  isActiveTurn,
  lifecycleFrame,
  productFrame,
  type TurnRecord,
  type TurnResult,
} from '@switchyard/contracts';
import type { HeardFrames } from './heard-frames';
import { executionsOf, stepsLeft } from './left-steps';
import { type LeftResult, closingFrames } from './turn-outcome';
import type { TurnFacts } from './turn-state';
import { unsaidFrames } from './unsaid-frames';

type Left = Pick<LeftResult, 'kind' | 'agentName' | 'steps' | 'refused' | 'begun'> & { result?: TurnResult };

function leftOf(turn: TurnRecord): Left {
  if (turn.result === null) return {};
  const { kind, agentName, steps, refused, begun, ...result } = turn.result as LeftResult;
  return { result, kind, agentName, steps, refused, begun };
}

/** Under which name its holder spoke; undefined of a turn that left none. */
export const agentNameOf = (turn: TurnRecord): string | undefined => leftOf(turn).agentName;

/** A stored result, or what can be said of a turn that has none yet. */
export function resultOf(turn: TurnRecord): TurnResult {
  const usage = turn.usage;
  const base: TurnResult = leftOf(turn).result ?? {
    session_id: turn.sessionId,
    turn_id: turn.id,
    agent_id: turn.agentId,
    message_id: null,
    status: turn.status,
    answer: '',
    content: [],
    tool_executions: [],
    evidence: [],
    interaction: null,
    finish_reason: turn.finishReason,
    tokens_used: usage?.totalTokens ?? 0,
    token_usage: {
      prompt_tokens: usage?.promptTokens ?? 0,
      completion_tokens: usage?.completionTokens ?? 0,
      total_tokens: usage?.totalTokens ?? 0,
      cost: usage?.cost ?? 0,
    },
    execution_time: 0,
    error: null,
  };
  return {
    ...base,
    status: turn.status,
    interaction: isActiveTurn(turn.status) && turn.interaction ? { ...turn.interaction } : null,
    error: turn.error ?? base.error,
  };
}

/** How many frames a pause ends with. */
export const PAUSE_FRAMES = 4;

/** Whether the last frame is the end of the turn, or of the pause that is stored: not that of an earlier pause. */
export function isToldToEnd({ status, interaction }: TurnRecord, { endedAs, askedFor }: HeardFrames): boolean {
  if (endedAs !== 'WAITING_INPUT') return endedAs !== null;
  return status === 'WAITING_INPUT' && (!interaction || askedFor === interaction.id);
}

/** What a turn that is stored had said, and its log never got. A pause has no more frames than its checkpoint counts. */
export function unsaidOf(turn: TurnRecord, heard: HeardFrames): FrameBody[] {
  const { result, steps = [], refused = [], begun = [] } = leftOf(turn);
  const said = result
    ? {
        steps: stepsLeft(steps, result),
        refused,
        executions: executionsOf(result),
        begun,
        evidence: result.evidence as unknown as Evidence[],
      }
    : { steps: [], refused, executions: [], begun, evidence: [] };
  return unsaidFrames(heard, said, turn.status !== 'WAITING_INPUT');
}

/** The last frames of a turn whose holder has stored its end, or its question, and died before it could say so. */
export function missingFrames(turn: TurnRecord, agentName: string, context: ContextStatus | null): FrameBody[] {
  const facts: TurnFacts = {
    turnId: turn.id,
    sessionId: turn.sessionId,
    agentId: turn.agentId,
    agentName,
    // Of a turn that never said it: only an execution does without a session.
    kind: leftOf(turn).kind ?? (turn.sessionId === null ? 'execute' : 'chat'),
    maxSteps: 1,
    askMode: false,
    canAsk: false,
    hasKnowledge: false,
    structured: false,
  };
  if (turn.status === 'WAITING_INPUT' && turn.interaction) {
    const interaction = { ...turn.interaction };
    return [
      inputRequestedFrame(interaction),
      productFrame('agentInputRequired', { interaction }),
      lifecycleFrame(facts.agentName, 'interrupted'),
      productFrame('streamEnded', { status: 'WAITING_INPUT' }),
    ];
  }
  return closingFrames(facts, resultOf(turn), context);
}
