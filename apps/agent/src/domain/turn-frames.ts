import { type FrameBody, product } from './frame';
import type { InteractionRecord, ToolExecution, TurnFacts, Usage } from './turn-state';

/**
 * The words of the wire. Fields of the public streaming protocol are written twice, once as its typed clients
 * read them (snake_case) and once as this interface spells them.
 */
export type LifecycleStatus = 'started' | 'running' | 'completed' | 'failed' | 'interrupted';

export const lifecycle = (facts: TurnFacts, event: LifecycleStatus, error?: string): FrameBody => ({
  method: 'lifecycle',
  data: { event, graphName: facts.agentName, graph_name: facts.agentName, ...(error === undefined ? {} : { error }) },
});

export const sessionStarted = (facts: TurnFacts): FrameBody =>
  product('session-started', {
    session_id: facts.sessionId,
    turn_id: facts.turnId,
    agent_id: facts.agentId,
    ...(facts.metadata ? { metadata: facts.metadata } : {}),
    // Its words may be taken back: an answer that does not fit its schema is repaired.
    ...(facts.structured ? { structured: true } : {}),
  });

const messages = (event: string, fields: object): FrameBody => ({ method: 'messages', data: { event, ...fields } });

export const messageStart = (id: string, model: string): FrameBody =>
  messages('message-start', { role: 'ai', id, metadata: { model } });

/** A block of what a model says or thinks, in the field that bears its type's name. */
type BlockType = 'text' | 'reasoning';

export const blockStart = (index: number, type: BlockType): FrameBody =>
  messages('content-block-start', { index, content: { type, [type]: '' } });

export const blockFinish = (index: number, type: BlockType, text: string): FrameBody =>
  messages('content-block-finish', { index, content: { type, [type]: text } });

export const toolCallBlock = (
  index: number,
  call: { id: string; name: string; arguments: unknown },
): [FrameBody, FrameBody] => [
  messages('content-block-start', {
    index,
    content: { type: 'tool_call_chunk', id: call.id, name: call.name, args: null },
  }),
  messages('content-block-finish', {
    index,
    content: { type: 'tool_call', id: call.id, name: call.name, args: call.arguments },
  }),
];

export const messageFinish = (usage: Usage): FrameBody => {
  const [inputTokens, outputTokens, totalTokens] = [
    usage.promptTokens,
    usage.completionTokens,
    usage.promptTokens + usage.completionTokens,
  ];
  return messages('message-finish', {
    usage: {
      inputTokens,
      outputTokens,
      totalTokens,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: totalTokens,
    },
  });
};

const tools = (event: string, id: string, fields: object): FrameBody => ({
  method: 'tools',
  data: { event, toolCallId: id, tool_call_id: id, ...fields },
});

export const toolStarted = (id: string, name: string, input: unknown): FrameBody =>
  tools('tool-started', id, { toolName: name, tool_name: name, input });

export const toolFinished = (id: string, output: unknown): FrameBody => tools('tool-finished', id, { output });

export const toolError = (id: string, message: string, code: string): FrameBody =>
  tools('tool-error', id, { message, code });

export const toolExecution = (execution: ToolExecution): FrameBody => product('tool-execution', execution);

export const inputRequested = (interaction: InteractionRecord): FrameBody => ({
  method: 'input',
  data: { interruptId: interaction.id, interrupt_id: interaction.id, payload: interaction },
});

/** Text since this frame is void: it is said anew, or never again. */
export const stepRestarted = (fromSeq: number): FrameBody => product('step-restarted', { from_seq: fromSeq });

export const streamEnded = (status: string): FrameBody => product('stream-ended', { status });
