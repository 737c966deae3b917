import type { InteractionRecord, PRODUCT_EVENTS, ProductEventKey, ProductEvents } from './product-events';

export type LifecycleStatus = 'started' | 'running' | 'completed' | 'failed' | 'interrupted';

interface LifecycleData {
  event: LifecycleStatus;
  graphName: string;
  graph_name: string;
  error?: string;
}

interface MessageStart {
  event: 'message-start';
  role: 'ai';
  id: string;
  metadata: { model: string };
}

interface TextBlock {
  type: 'text';
  text: string;
}

interface ReasoningBlock {
  type: 'reasoning';
  reasoning: string;
}

interface BlockStart {
  event: 'content-block-start';
  index: number;
  content: TextBlock | ReasoningBlock | { type: 'tool_call_chunk'; id: string; name: string; args: null };
}

interface BlockFinish {
  event: 'content-block-finish';
  index: number;
  content: TextBlock | ReasoningBlock | { type: 'tool_call'; id: string; name: string; args: unknown };
}

interface MessageFinish {
  event: 'message-finish';
  usage: {
    inputTokens: number;
    outputTokens: number;
    totalTokens: number;
    input_tokens: number;
    output_tokens: number;
    total_tokens: number;
  };
}

interface ToolCallId {
  toolCallId: string;
  tool_call_id: string;
}

type ToolStarted = ToolCallId & { event: 'tool-started'; toolName: string; tool_name: string; input: unknown };
type ToolFinished = ToolCallId & { event: 'tool-finished'; output: unknown };
type ToolFailed = ToolCallId & { event: 'tool-error'; message: string; code: string };

type ProductData = { [Name in keyof ProductEvents]: { event: Name } & ProductEvents[Name] }[keyof ProductEvents];

/**
 * A frame before it gets its number and time. Fields of the public streaming protocol are written twice: in snake_case
 * for its typed clients, and in the spelling of its interface.
 */
export type FrameBody =
  | { method: 'custom:service'; data: ProductData }
  | { method: 'lifecycle'; data: LifecycleData }
  | { method: 'messages'; data: MessageStart | BlockStart | BlockFinish | MessageFinish }
  | { method: 'tools'; data: ToolStarted | ToolFinished | ToolFailed }
  | { method: 'input'; data: { interruptId: string; interrupt_id: string; payload: InteractionRecord } };

export type FrameMethod = FrameBody['method'];

/**
 * A frame. `seq` is contiguous from 1 within a turn, across pauses and takeovers; `timestamp` in milliseconds. Events
 * of later versions may occur; `handleFrame` ignores them.
 */
export type TurnFrame = FrameBody & { seq: number; timestamp: number };

type FrameOf<Method extends FrameMethod> = Extract<TurnFrame, { method: Method }>;
type WithEvent<Frame extends TurnFrame, Event> = Frame & { data: Extract<Frame['data'], { event: Event }> };
type ProductFrame<Name extends keyof ProductEvents> = WithEvent<FrameOf<'custom:service'>, Name>;
type MessageFrame<Event> = WithEvent<FrameOf<'messages'>, Event>;
type ToolFrame<Event> = WithEvent<FrameOf<'tools'>, Event>;

/** All kinds of frames, by their names in code. */
export type TurnFrameKinds = { [Key in ProductEventKey]: ProductFrame<(typeof PRODUCT_EVENTS)[Key]> } & {
  lifecycle: FrameOf<'lifecycle'>;
  messageStart: MessageFrame<'message-start'>;
  blockStart: MessageFrame<'content-block-start'>;
  blockFinish: MessageFrame<'content-block-finish'>;
  messageFinish: MessageFrame<'message-finish'>;
  toolStarted: ToolFrame<'tool-started'>;
  toolFinished: ToolFrame<'tool-finished'>;
  toolFailed: ToolFrame<'tool-error'>;
  inputRequested: FrameOf<'input'>;
};

export type TurnFrameKind = keyof TurnFrameKinds;
