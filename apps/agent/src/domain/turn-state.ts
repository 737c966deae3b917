import type { Approver, Evidence, InteractionRecord, ToolExecution, ToolSource } from '@switchyard/contracts';
import { addCosts, type JsonObject } from '@switchyard/kernel';

/** Constants of a turn. */
export interface TurnFacts {
  turnId: string;
  sessionId: string | null;
  agentId: string;
  agentName: string;
  kind: 'chat' | 'execute';
  maxSteps: number;
  /** Actions are named to the model and never executed. */
  askMode: boolean;
  /** Questions need a session in which they can wait. */
  canAsk: boolean;
  hasKnowledge: boolean;
  structured: boolean;
  /** The caller's metadata of the turn. */
  metadata?: JsonObject;
}

export interface Usage {
  promptTokens: number;
  completionTokens: number;
  cost: number;
}

export const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0, cost: 0 };

export interface ToolCall {
  id: string;
  name: string;
  arguments: unknown;
  source: ToolSource;
  /** Changes something outside: not executed when the user only asks, never twice. */
  action: boolean;
  /** Set where the call cannot be run at all: unknown tool, arguments that are no JSON. */
  refusal?: ToolFailure;
  /** Its effect happens once even if it is started twice: it may run again after a crash. */
  once?: boolean;
  /** Set where a person must decide before it runs. */
  approval?: CallApproval;
}

export interface CallApproval {
  by: Approver;
  /** Of the arguments that are shown: nothing else runs. */
  digest: string;
  /** Names the definition of the tool, where a server of others gives it. */
  definition?: string;
  decision?: 'APPROVED' | 'DENIED';
}

export interface ToolFailure {
  code: string;
  message: string;
}

export type ToolOutcome =
  | { status: 'succeeded'; output: unknown }
  | { status: 'failed'; code: string; message: string }
  | { status: 'skipped'; code: string; message: string };

export interface OpenCall extends ToolCall {
  state: 'pending' | 'started' | 'done';
  startedAt?: number;
  outcome?: ToolOutcome;
  durationMs?: number;
}

/** A message that this turn has produced so far, in the order in which the model will see it again. */
export interface StepMessage {
  /** Of an assistant message: the name under which its text was streamed. */
  id?: string;
  role: 'assistant' | 'tool' | 'repair';
  text: string;
  /** Earlier reasoning: shown to people, never sent to a model. */
  reasoning?: string;
  toolCalls?: { id: string; name: string; arguments: unknown }[];
  toolCallId?: string;
  name?: string;
  failed?: boolean;
  usage?: Usage;
  model?: string;
  finishReason?: string;
}

/** The model call under way. Restarted as a whole after a crash. */
export interface OpenMessage {
  id: string;
  text: string;
  /** As far as it is kept. */
  reasoning: string;
  announced: boolean;
  block: OpenBlock | null;
  /** How many blocks it has had, the open one included. */
  blocks: number;
}

/**
 * A message is streamed in blocks, one at a time; `from` is where this one begins in the message's text or reasoning.
 */
export interface OpenBlock {
  type: 'text' | 'reasoning';
  from: number;
}

export const openMessage = (id: string): OpenMessage => ({
  id,
  text: '',
  reasoning: '',
  announced: false,
  block: null,
  blocks: 0,
});

/** Everything a replica needs to go on with a turn: plain JSON, stored after each step. */
export interface TurnState {
  phase: 'retrieving' | 'model' | 'tools' | 'waiting' | 'closing' | 'closed';
  step: number;
  open: OpenMessage | null;
  steps: StepMessage[];
  calls: OpenCall[];
  usage: Usage;
  executions: ToolExecution[];
  evidence: Evidence[];
  repairs: number;
  interaction: InteractionRecord | null;
  ending: Ending | null;
  model: string;
  /** Milliseconds of work in earlier stretches; waiting for people does not count. */
  workedMs: number;
}

/** Why a turn failed. `retryAt`: when a limit that refused it lets it pass again. */
export interface Failure {
  code: string;
  message: string;
  retryable: boolean;
  retryAt?: string;
}

export interface Ending {
  status: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  finishReason: string | null;
  error: Failure | null;
  messageId: string | null;
  answer: string;
  output?: unknown;
}

export const newTurnState = (model: string): TurnState => ({
  phase: 'model',
  step: 0,
  open: null,
  steps: [],
  calls: [],
  usage: NO_USAGE,
  executions: [],
  evidence: [],
  repairs: 0,
  interaction: null,
  ending: null,
  model,
  workedMs: 0,
});

export const addUsage = (a: Usage, b: Usage): Usage => ({
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  cost: addCosts(a.cost, b.cost),
});
