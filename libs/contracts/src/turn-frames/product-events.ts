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
