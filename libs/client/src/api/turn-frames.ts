// Generated from libs/contracts/src/turn-frames; do not edit. After a change there: npm run generate

export type ToolSource = 'builtin' | 'mcp' | 'local';

/** A tool call, in a frame and in the result of a turn. */
export interface ToolExecution {
  tool_call_id: string;
  name: string;
  source: ToolSource;
  status: 'started' | 'succeeded' | 'failed' | 'skipped';
  arguments: unknown;
  result?: unknown;
  error?: { code: string; message: string };
  duration_ms?: number;
}

export interface Evidence {
  dataset_id: string;
  record_id: string;
  score: number;
  text: string;
  fields: Record<string, unknown>;
}

/** A question or an approval. */
export interface InteractionRecord {
  id: string;
  [field: string]: unknown;
}

interface TurnTokens {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost: number;
}

/** A part of a message's text or reasoning. */
interface MessageDelta {
  delta: string;
  message_id: string;
}

/** The platform's own events of a turn: wire names and fields. */
export interface ProductEvents {
  /** `structured`: the answer is JSON of a schema; deltas are revoked if it has to be repaired. */
  'session-started': {
    session_id: string | null;
    turn_id: string;
    agent_id: string;
    metadata?: Record<string, unknown>;
    structured?: true;
  };
  'content-delta': MessageDelta;
  'reasoning-delta': MessageDelta;
  'tool-execution': ToolExecution;
  'knowledge-evidence': { items: readonly Evidence[] };
  'agent-input-required': { interaction: InteractionRecord };
  'local-tool-call': { call_id: string; name: string; arguments: unknown; expires_at: string };
  'context-usage': { used_tokens: number; remaining_tokens: number; max_tokens: number; estimated: boolean };
  /** `result`: for an execution, its flat result. */
  'response-completed': {
    session_id: string | null;
    turn_id: string;
    message_id: string | null;
    finish_reason: string | null;
    tokens_used: number;
    token_usage: TurnTokens;
    execution_time: number;
    result?: { output?: unknown };
  };
  'turn-persist-pending': { turn_id: string };
  /** Deltas since `from_seq` are void: the step is retried. */
  'step-restarted': { from_seq: number };
  'error-occurred': { code: string; message: string; retryable: boolean; retry_at?: string };
  /** The turn has ended, or waits for its user. */
  'stream-ended': { status: 'RUNNING' | 'WAITING_INPUT' | 'COMPLETED' | 'FAILED' | 'CANCELLED' };
}

export type ProductEventName = keyof ProductEvents;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Wire names by the names in code. */
export const PRODUCT_EVENTS: { readonly [Name in ProductEventName as CamelCase<Name>]: Name } = {
  sessionStarted: 'session-started',
  contentDelta: 'content-delta',
  reasoningDelta: 'reasoning-delta',
  toolExecution: 'tool-execution',
  knowledgeEvidence: 'knowledge-evidence',
  agentInputRequired: 'agent-input-required',
  localToolCall: 'local-tool-call',
  contextUsage: 'context-usage',
  responseCompleted: 'response-completed',
  turnPersistPending: 'turn-persist-pending',
  stepRestarted: 'step-restarted',
  errorOccurred: 'error-occurred',
  streamEnded: 'stream-ended',
};

export type ProductEventKey = keyof typeof PRODUCT_EVENTS;

/** Fields of one product event. */
export type ProductFields<Key extends ProductEventKey> = ProductEvents[(typeof PRODUCT_EVENTS)[Key]];

type Dots<Name extends string> = Name extends `${infer Head}-${infer Tail}` ? `${Head}.${Dots<Tail>}` : Name;

/** Event names in documents and in the client library. One has an underscore. */
export type DottedName<Name extends ProductEventName> = Name extends 'turn-persist-pending'
  ? 'turn.persist_pending'
  : Dots<Name>;

export const dottedName = <Name extends ProductEventName>(name: Name): DottedName<Name> =>
  (name === 'turn-persist-pending' ? 'turn.persist_pending' : name.replaceAll('-', '.')) as DottedName<Name>;

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

/** A frame on the wire: the event envelope of the agent streaming protocol. */
export interface FrameEnvelope {
  type: 'event';
  method: FrameMethod;
  params: { namespace: string[]; timestamp: number; data: Record<string, unknown> };
  seq: number;
}

const METHODS: ReadonlySet<string> = new Set<FrameMethod>([
  'custom:service',
  'messages',
  'tools',
  'lifecycle',
  'input',
]);

/** Null if the value is not a frame of this protocol. */
export function envelopeIn(value: unknown): FrameEnvelope | null {
  const frame = value as Partial<FrameEnvelope> | null;
  if (frame?.type !== 'event' || !METHODS.has(String(frame.method)) || !Number.isSafeInteger(frame.seq)) return null;
  const data: unknown = frame.params?.data;
  return typeof data === 'object' && data !== null ? (frame as FrameEnvelope) : null;
}

/** Parses untrusted text; null if it is not a frame. */
export function parseFrame(text: string): FrameEnvelope | null {
  try {
    return envelopeIn(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The frame without its envelope. */
export const frameIn = ({ seq, method, params }: FrameEnvelope): TurnFrame =>
  ({ seq, method, timestamp: params.timestamp, data: params.data as unknown }) as TurnFrame;

const LIFECYCLE: TurnFrameKind = 'lifecycle';
const INPUT: TurnFrameKind = 'inputRequested';

const PRODUCT = new Map(Object.entries(PRODUCT_EVENTS).map(([key, name]) => [name, key as ProductEventKey]));
const MESSAGES = new Map<string, TurnFrameKind>([
  ['message-start', 'messageStart'],
  ['content-block-start', 'blockStart'],
  ['content-block-finish', 'blockFinish'],
  ['message-finish', 'messageFinish'],
]);
const TOOLS = new Map<string, TurnFrameKind>([
  ['tool-started', 'toolStarted'],
  ['tool-finished', 'toolFinished'],
  ['tool-error', 'toolFailed'],
]);

/** Undefined for an event of a later version. */
export function kindOfFrame({ method, data }: TurnFrame): TurnFrameKind | undefined {
  switch (method) {
    case 'custom:service':
      return PRODUCT.get(data.event);
    case 'messages':
      return MESSAGES.get(data.event);
    case 'tools':
      return TOOLS.get(data.event);
    case 'lifecycle':
      return LIFECYCLE;
    case 'input':
      return INPUT;
  }
}

export const isFrame = <Kind extends TurnFrameKind>(frame: TurnFrame, kind: Kind): frame is TurnFrameKinds[Kind] =>
  kindOfFrame(frame) === kind;

export type FrameHandler<Kind extends TurnFrameKind, Result = void> = (
  data: TurnFrameKinds[Kind]['data'],
  frame: TurnFrameKinds[Kind],
) => Result;

/** Handlers for some kinds of frames. */
export type FrameHandlers<Result = void> = { [Kind in TurnFrameKind]?: FrameHandler<Kind, Result> | null };

/** All events need an entry; null for an event without effect. A new product event is a compile error here. */
export type EveryProductEvent<Result = void> = FrameHandlers<Result> & {
  [Key in ProductEventKey]: FrameHandler<Key, Result> | null;
};

/** Undefined if there is no handler. */
export function handleFrame<Result>(frame: TurnFrame, handlers: FrameHandlers<Result>): Result | undefined {
  const kind = kindOfFrame(frame);
  const handler =
    kind && (handlers[kind] as ((data: TurnFrame['data'], frame: TurnFrame) => Result) | null | undefined);
  return handler?.(frame.data, frame);
}
