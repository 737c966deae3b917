import type { Interaction, TokenUsageBody, TurnStatus } from '../records/turn';
import type { Frame } from './frame';

export interface EvidenceItem {
  dataset_id: string;
  record_id: string;
  score: number;
  text: string;
  fields: Record<string, unknown>;
}

/** The product events by their dotted names, with what each carries. */
export interface TurnEventData {
  /** `structured`: the answer is JSON of a schema, and what is said of it may be taken back when it does not fit. */
  'session.started': { session_id: string | null; turn_id: string; agent_id: string; structured?: true };
  'content.delta': { delta: string; message_id: string };
  /** What the model thinks before it speaks, where its upstream shows it. No part of the answer. */
  'reasoning.delta': { delta: string; message_id: string };
  'tool.execution': {
    tool_call_id: string;
    name: string;
    source: 'builtin' | 'mcp' | 'local';
    status: 'started' | 'succeeded' | 'failed' | 'skipped';
    arguments: unknown;
    result?: unknown;
    error?: unknown;
    duration_ms?: number;
  };
  'knowledge.evidence': { items: EvidenceItem[] };
  'agent.input.required': { interaction: Interaction };
  'local.tool.call': { call_id: string; name: string; arguments: unknown; expires_at: string };
  'context.usage': { used_tokens: number; remaining_tokens: number; max_tokens: number; estimated: boolean };
  'response.completed': {
    session_id: string | null;
    turn_id: string;
    message_id: string | null;
    finish_reason: string | null;
    tokens_used: number;
    token_usage: TokenUsageBody;
    execution_time: number;
    result?: unknown;
  };
  'turn.persist_pending': { turn_id: string };
  'step.restarted': { from_seq: number };
  'error.occurred': { code: string; message: string; retryable: boolean };
  'stream.ended': { status: TurnStatus };
}

export type TurnEventName = keyof TurnEventData;

/** One product event. Text, tool output and evidence come from models and strangers: treat them as untrusted. */
export type TurnEvent = {
  [Name in TurnEventName]: { name: Name; seq: number; data: TurnEventData[Name] };
}[TurnEventName];

/** Two names are not their wire names with dots for dashes. */
const NAMES: Readonly<Record<string, TurnEventName>> = {
  'session-started': 'session.started',
  'content-delta': 'content.delta',
  'reasoning-delta': 'reasoning.delta',
  'tool-execution': 'tool.execution',
  'knowledge-evidence': 'knowledge.evidence',
  'agent-input-required': 'agent.input.required',
  'local-tool-call': 'local.tool.call',
  'context-usage': 'context.usage',
  'response-completed': 'response.completed',
  'turn-persist-pending': 'turn.persist_pending',
  'step-restarted': 'step.restarted',
  'error-occurred': 'error.occurred',
  'stream-ended': 'stream.ended',
};

/** The product event in a frame; null for the protocol's own frames and for events of a later version. */
export function eventOf(frame: Frame): TurnEvent | null {
  if (frame.method !== 'custom:service') return null;
  const { event, ...data } = frame.params.data;
  const name = NAMES[String(event)];
  return name ? ({ name, seq: frame.seq, data } as TurnEvent) : null;
}
