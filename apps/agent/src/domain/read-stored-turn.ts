import {
  type ContextStatus,
  type FrameBody,
  inputRequestedFrame,
  isActiveTurn,
  lifecycleFrame,
  productFieldsOf,
  productFrame,
  seqOfFrame,
  type TurnRecord,
  type TurnResult,
} from '@switchyard/contracts';
import { type FinalFrames, finalFramesAfter } from './final-frames';
import { closingFrames, type StoredResult } from './turn-outcome';
import type { TurnFacts } from './turn-state';

type Stored = Pick<StoredResult, 'kind' | 'agentName'> & { result?: TurnResult; finalFrames?: FinalFrames | undefined };

function storedOf(turn: TurnRecord): Stored {
  if (turn.result === null) return {};
  const { kind, agentName, ...rest } = turn.result as StoredResult;
  // Final frames are stored in the field `refused`, which the version before reads as ids; it stored steps instead.
  const { steps: _s, begun: _b, refused, finalFrames, ...result } = rest as TurnResult & Record<string, unknown>;
  const [storedFrames = finalFrames] = (refused ?? []) as unknown[];
  return {
    result,
    kind,
    agentName,
    finalFrames: typeof storedFrames === 'object' ? (storedFrames as FinalFrames) : undefined,
  };
}

/** The name of the agent when the turn was stored; undefined if it was stored without one. */
export const agentNameOf = (turn: TurnRecord): string | undefined => storedOf(turn).agentName;

export const finalFramesOf = (turn: TurnRecord): FinalFrames | undefined => storedOf(turn).finalFrames;

/**
 * The stored frames of a turn with a number above `last`. Null if some may be missing: an earlier version did not store
 * the last frame of an ended turn.
 */
export function storedFramesAfter(turn: TurnRecord, last: number): readonly string[] | null {
  const final = finalFramesOf(turn);
  if (final) return finalFramesAfter(final, last);
  return turn.result === null || turn.status === 'WAITING_INPUT' ? [] : null;
}

/** The stored result, or a default one from the record. */
export function resultOf(turn: TurnRecord): TurnResult {
  const usage = turn.usage;
  const base: TurnResult = storedOf(turn).result ?? {
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

/** Whether the last frame is the end of the turn, or of the pause that is stored: not that of an earlier pause. */
export function endsTurn(turn: TurnRecord, lastFrame: string): boolean {
  const ended = productFieldsOf(lastFrame, 'streamEnded');
  if (!ended || ended.status !== 'WAITING_INPUT') return ended !== null;
  return turn.status === 'WAITING_INPUT' && seqOfFrame(lastFrame) > (finalFramesOf(turn)?.lastSeq ?? 0);
}

/** The last frames of a turn whose holder has stored its end, or its question, and died before it could say so. */
export function missingFrames(turn: TurnRecord, agentName: string, context: ContextStatus | null): FrameBody[] {
  const facts: TurnFacts = {
    turnId: turn.id,
    sessionId: turn.sessionId,
    agentId: turn.agentId,
    agentName,
    // Of a turn that never said it: only an execution does without a session.
    kind: storedOf(turn).kind ?? (turn.sessionId === null ? 'execute' : 'chat'),
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
