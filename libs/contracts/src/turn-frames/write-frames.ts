import { type DeltaEvent, writeDeltaFrame } from './delta-frames';
import { type InteractionRecord, PRODUCT_EVENTS, type ProductEventKey, type ProductFields } from './product-events';
import type { FrameBody, LifecycleStatus } from './turn-frame';

/**
 * Writes the frames of one turn as text, numbered from 1 across pauses and takeovers. The order of fields is part of
 * the format: `seq` is last, so that readers find it without parsing.
 */
export class TurnFrameWriter {
  constructor(private last = 0) {}

  get seq(): number {
    return this.last;
  }

  write(body: FrameBody, timestamp: number): string {
    this.last += 1;
    return `{"type":"event","method":"${body.method}","params":{"namespace":[],"timestamp":${timestamp},"data":${JSON.stringify(body.data)}},"seq":${this.last}}`;
  }

  /** A frame that was written before, with the next number. */
  repeat(text: string): string {
    this.last += 1;
    if (!text.endsWith(`,"seq":${this.last}}`)) throw new Error(`frame ${this.last} is expected, and not ${text}`);
    return text;
  }

  /** As `write`, from a template: most frames are deltas. */
  writeDelta(event: DeltaEvent, delta: string, messageId: string, timestamp: number): string {
    this.last += 1;
    return writeDeltaFrame({ event, delta, messageId, timestamp, seq: this.last });
  }
}

export const productFrame = <Key extends ProductEventKey>(key: Key, fields: ProductFields<Key>): FrameBody =>
  ({ method: 'custom:service', data: { event: PRODUCT_EVENTS[key], ...fields } }) as FrameBody;

export const lifecycleFrame = (graphName: string, event: LifecycleStatus, error?: string): FrameBody => ({
  method: 'lifecycle',
  data: { event, graphName, graph_name: graphName, ...(error === undefined ? {} : { error }) },
});

export const messageStartFrame = (id: string, model: string): FrameBody => ({
  method: 'messages',
  data: { event: 'message-start', role: 'ai', id, metadata: { model } },
});

type BlockType = 'text' | 'reasoning';

/** The text of a block is in the field named like its type. */
const blockContent = (
  type: BlockType,
  text: string,
): { type: 'text'; text: string } | { type: 'reasoning'; reasoning: string } =>
  type === 'text' ? { type, text } : { type, reasoning: text };

export const blockStartFrame = (index: number, type: BlockType): FrameBody => ({
  method: 'messages',
  data: { event: 'content-block-start', index, content: blockContent(type, '') },
});

export const blockFinishFrame = (index: number, type: BlockType, text: string): FrameBody => ({
  method: 'messages',
  data: { event: 'content-block-finish', index, content: blockContent(type, text) },
});

export const toolCallFrames = (
  index: number,
  { id, name, arguments: args }: { id: string; name: string; arguments: unknown },
): [FrameBody, FrameBody] => [
  {
    method: 'messages',
    data: { event: 'content-block-start', index, content: { type: 'tool_call_chunk', id, name, args: null } },
  },
  {
    method: 'messages',
    data: { event: 'content-block-finish', index, content: { type: 'tool_call', id, name, args } },
  },
];

export const messageFinishFrame = (usage: { promptTokens: number; completionTokens: number }): FrameBody => {
  const { promptTokens: inputTokens, completionTokens: outputTokens } = usage;
  const totalTokens = inputTokens + outputTokens;
  return {
    method: 'messages',
    data: {
      event: 'message-finish',
      usage: {
        inputTokens,
        outputTokens,
        totalTokens,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        total_tokens: totalTokens,
      },
    },
  };
};

export const toolStartedFrame = (id: string, name: string, input: unknown): FrameBody => ({
  method: 'tools',
  data: { event: 'tool-started', toolCallId: id, tool_call_id: id, toolName: name, tool_name: name, input },
});

export const toolFinishedFrame = (id: string, output: unknown): FrameBody => ({
  method: 'tools',
  data: { event: 'tool-finished', toolCallId: id, tool_call_id: id, output },
});

export const toolFailedFrame = (id: string, message: string, code: string): FrameBody => ({
  method: 'tools',
  data: { event: 'tool-error', toolCallId: id, tool_call_id: id, message, code },
});

export const inputRequestedFrame = (interaction: InteractionRecord): FrameBody => ({
  method: 'input',
  data: { interruptId: interaction.id, interrupt_id: interaction.id, payload: interaction },
});
