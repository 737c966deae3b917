import {
  type CloseTurn,
  type ContextStatus,
  executeResultOf,
  type FrameBody,
  lifecycleFrame,
  type NewMessage,
  PRODUCT_EVENTS,
  productFrame,
  type TurnFailure,
  type TurnResult,
  type UsageReport,
} from '@switchyard/contracts';
import type { FinalFrames } from './final-frames';
import { reasoningOf } from './reasoning';
import { visibleSteps } from './visible-steps';
import { textItems } from './split-text';
import type { Ending, StepMessage, TurnFacts, TurnState, Usage } from './turn-state';

export const usageReport = (usage: Usage): UsageReport => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
  cost: usage.cost,
});

/** Response of a call without streaming: at the end or at a pause. */
export function turnResult(facts: TurnFacts, state: TurnState, workedMs: number): TurnResult {
  const { ending } = state;
  const usage = usageReport(state.usage);
  const answer = ending?.answer ?? visibleSteps(state.steps).findLast(({ role }) => role === 'assistant')?.text ?? '';
  const reasoning = reasoningOf(state.steps);
  return {
    session_id: facts.sessionId,
    turn_id: facts.turnId,
    agent_id: facts.agentId,
    message_id: ending?.messageId ?? null,
    status: ending?.status ?? (state.phase === 'waiting' ? 'WAITING_INPUT' : 'RUNNING'),
    answer,
    ...(reasoning === '' ? {} : { reasoning }),
    content: textItems(answer),
    tool_executions: state.executions.map((execution) => ({ ...execution })),
    evidence: state.evidence.map((item) => ({ ...item })),
    interaction: state.interaction,
    finish_reason: ending?.finishReason ?? null,
    tokens_used: usage.total_tokens,
    token_usage: usage,
    execution_time: Math.round(workedMs) / 1000,
    ...(ending?.output === undefined ? {} : { output: ending.output }),
    error: ending?.error ?? null,
  };
}

/**
 * A result as it is stored: with all that the last frames of the turn need, if its process dies before they are sent.
 */
export type StoredResult = TurnResult & {
  kind?: TurnFacts['kind'];
  agentName?: string;
  /** Under a name that the version before leaves out of its answers as well, and ignores otherwise. */
  refused?: readonly [FinalFrames];
};

export const storedResult = (
  { kind, agentName }: TurnFacts,
  result: TurnResult,
  finalFrames: FinalFrames,
): StoredResult => ({ ...result, kind, agentName, refused: [finalFrames] });

/** The result of an ended turn, for the session. */
export function closedTurn(
  facts: TurnFacts,
  state: TurnState,
  { ending, result, finalFrames }: { ending: Ending; result: TurnResult; finalFrames: FinalFrames },
): Omit<CloseTurn, 'key' | 'epoch'> {
  const { usage } = state;
  return {
    status: ending.status,
    messages: facts.sessionId === null ? [] : transcriptOf(state),
    finishReason: ending.finishReason,
    usage: {
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      totalTokens: usage.promptTokens + usage.completionTokens,
      cost: usage.cost,
    },
    error: ending.error,
    result: storedResult(facts, result, finalFrames),
  };
}

const NOT_STORED = 'What the turn came to could not be stored.';

/** The end of a turn that cannot be stored as it is: without what it said, so that its session is free again. */
export function bareEnd(state: TurnState, ending: Ending): { state: TurnState; ending: Ending } {
  const bare: Ending = {
    status: ending.status === 'CANCELLED' ? 'CANCELLED' : 'FAILED',
    finishReason: 'error',
    error: { code: 'SERVER_ERROR', message: NOT_STORED, retryable: true },
    messageId: null,
    answer: '',
  };
  return { state: { ...state, steps: [], executions: [], evidence: [], calls: [], ending: bare }, ending: bare };
}

/** Transcript entries: answers, calls with results, and other output shown to the user. */
export function transcriptOf(state: TurnState): NewMessage[] {
  const messages: NewMessage[] = [];
  if (state.evidence.length > 0)
    messages.push({
      role: 'event',
      content: [],
      event: { type: PRODUCT_EVENTS.knowledgeEvidence, items: state.evidence },
    });
  messages.push(...visibleSteps(state.steps).map(stored));
  if (state.ending?.error)
    messages.push({ role: 'event', content: [], event: { type: 'error', ...state.ending.error } });
  return messages;
}

const stored = (message: StepMessage): NewMessage => ({
  ...(message.id ? { id: message.id } : {}),
  role: message.role === 'tool' ? 'tool' : 'assistant',
  content: textItems(message.text),
  ...(message.reasoning ? { reasoning: message.reasoning } : {}),
  ...(message.toolCalls ? { toolCalls: message.toolCalls } : {}),
  ...(message.toolCallId ? { toolCallId: message.toolCallId } : {}),
  ...(message.name ? { name: message.name } : {}),
  ...(message.usage
    ? {
        tokenUsage: {
          promptTokens: message.usage.promptTokens,
          completionTokens: message.usage.completionTokens,
          totalTokens: message.usage.promptTokens + message.usage.completionTokens,
          cost: message.usage.cost,
        },
      }
    : {}),
  ...(message.model ? { model: message.model } : {}),
  ...(message.finishReason ? { finishReason: message.finishReason } : {}),
});

/**
 * The last frames of a turn, written once it is stored. A result is all that is needed, so that any process can write
 * them.
 */
export function closingFrames(facts: TurnFacts, result: TurnResult, context: ContextStatus | null): FrameBody[] {
  const frames: FrameBody[] = [];
  if (context) {
    frames.push(
      productFrame('contextUsage', {
        used_tokens: context.usedTokens,
        remaining_tokens: context.remainingTokens,
        max_tokens: context.maxTokens,
        estimated: context.estimated,
      }),
    );
  }
  if (result.status === 'COMPLETED') {
    frames.push(
      productFrame('responseCompleted', {
        session_id: result.session_id,
        turn_id: result.turn_id,
        message_id: result.message_id,
        finish_reason: result.finish_reason,
        tokens_used: result.tokens_used,
        token_usage: result.token_usage,
        execution_time: result.execution_time,
        ...(facts.kind === 'execute' ? { result: executeResultOf(result) } : {}),
      }),
      lifecycleFrame(facts.agentName, 'completed'),
    );
  } else if (result.status === 'FAILED') {
    const failure: TurnFailure = result.error ?? { code: 'SERVER_ERROR', message: 'The turn failed.' };
    const { code, message, retryable = isRetryable(code), retryAt } = failure;
    const until = retryAt === undefined ? {} : { retry_at: retryAt };
    frames.push(
      productFrame('errorOccurred', { code, message, retryable, ...until }),
      lifecycleFrame(facts.agentName, 'failed', message),
    );
  } else {
    frames.push(lifecycleFrame(facts.agentName, 'interrupted'));
  }
  frames.push(productFrame('streamEnded', { status: result.status }));
  return frames;
}

const RETRYABLE = new Set(['RUNTIME_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT', 'RATE_LIMITED', 'SERVER_ERROR']);

export const isRetryable = (code: string): boolean => RETRYABLE.has(code);
