import {
  AgentCalls,
  AgentStreams,
  Field,
  TurnResult,
  errorOfTurn,
  f,
  isFrame,
  readTurnFrames,
  SIZES,
} from '@switchyard/contracts';
import { AppError, type JsonObject, newId } from '@switchyard/kernel';
import { failureIn } from '../../../turn-events/turn-failure-from-frame';
import { waitForTurn } from '../../../routes/turns/wait-for-turn';
import type { ToolRun } from '../tool';
import { openTurn } from '../../../turn-events/open-turn';

export class CallAgent {
  @Field(f.id()) agentId!: string;
  @Field(f.text({ min: 1 })) text!: string;
  @Field(f.id(), { optional: true, description: 'Goes on with this conversation.' }) sessionId?: string;
  @Field(f.id(), {
    optional: true,
    description: 'Names this message: sent again with the same id it does not run twice.',
  })
  turnId?: string;
}

const PROGRESS_EVERY_MS = 250;

/** Follows a turn for the client's sake: text so far as progress, an error as an error. */
async function follow(batches: AsyncIterable<string>, run: ToolRun): Promise<void> {
  let text = '';
  let sentAt = 0;
  for await (const batch of batches) {
    for (const frame of readTurnFrames(batch)) {
      if (isFrame(frame, 'contentDelta')) text += frame.data.delta;
      else if (isFrame(frame, 'errorOccurred')) throw errorOfTurn(failureIn(frame.data));
    }
    if (text === '' || Date.now() - sentAt < PROGRESS_EVERY_MS) continue;
    sentAt = Date.now();
    run.progress(text.slice(-2000));
  }
}

/**
 * A client that goes away cancels the turn: over MCP a closed answer is a cancelled call.
 * The returned function says that the call is over; what is closed after it means nothing.
 */
function cancelWith(run: ToolRun, turnId: string): () => void {
  const cancel = (): void => {
    run.bus.call(AgentCalls.cancelTurn, run.ctx, { turnId }).catch(() => undefined);
  };
  run.signal.addEventListener('abort', cancel, { once: true });
  return () => {
    run.signal.removeEventListener('abort', cancel);
  };
}

export async function callAgent(input: CallAgent, run: ToolRun): Promise<TurnResult> {
  const { agentId, text, sessionId } = input;
  const turnId = input.turnId ?? newId();
  const isOver = cancelWith(run, turnId);
  const request = { agentId, turnId, sessionId, contents: [{ type: 'text' as const, text }], source: 'mcp' as const };
  try {
    const turn = { contract: AgentStreams.chat, start: request, signal: run.signal };
    await follow(await openTurn(run.bus, run.ctx, turn), run);
    return await run.bus.call(AgentCalls.turnResult, run.ctx, { agentId, turnId });
  } finally {
    isOver();
  }
}

export class ExecuteAgent {
  @Field(f.id()) agentId!: string;
  @Field(f.record(SIZES.inputs), { optional: true, description: "query, session_id and the prompt's own variables." })
  inputs?: JsonObject;
}

export async function executeAgent({ agentId, inputs = {} }: ExecuteAgent, run: ToolRun): Promise<TurnResult> {
  const turnId = newId();
  const isOver = cancelWith(run, turnId);
  const start = { agentId, turnId, inputs, source: 'mcp' as const };
  try {
    return await waitForTurn(run.bus, run.ctx, { contract: AgentCalls.execute, start, signal: run.signal });
  } finally {
    isOver();
  }
}

export class AnswerQuestion {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) turnId!: string;
  @Field(f.id()) sessionId!: string;
  @Field(f.id()) interactionId!: string;
  @Field(f.list(f.text({ max: 200 }), { max: 100 }), { description: 'Ids of options, not their labels.' })
  selectedOptionIds!: string[];
  @Field(f.text({ max: 10_000 }), {
    optional: true,
    nullable: true,
    description: 'Only where the question allows an answer of your own.',
  })
  otherText?: string | null;
}

/** An approver who may not read the turn only learns that it continues. */
async function resultFor({ agentId, turnId, sessionId }: AnswerQuestion, run: ToolRun): Promise<TurnResult> {
  try {
    return await run.bus.call(AgentCalls.turnResult, run.ctx, { agentId, turnId });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    return {
      session_id: sessionId,
      turn_id: turnId,
      agent_id: agentId,
      message_id: null,
      status: 'RUNNING',
      answer: '',
      content: [],
      tool_executions: [],
      evidence: [],
      interaction: null,
      finish_reason: null,
      tokens_used: 0,
      token_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0 },
      execution_time: 0,
      error: null,
    };
  }
}

/** A question that was answered before has no stream; the result tells the rest. */
export async function answerInteraction(input: AnswerQuestion, run: ToolRun): Promise<TurnResult> {
  const { turnId } = input;
  const isOver = cancelWith(run, turnId);
  const request = { ...input, otherText: input.otherText ?? null };
  try {
    await follow(await run.bus.stream(AgentStreams.resume, run.ctx, request, { signal: run.signal }), run);
    return await resultFor(input, run);
  } finally {
    isOver();
  }
}
