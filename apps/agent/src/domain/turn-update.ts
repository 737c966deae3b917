import type { Evidence, FrameBody, InteractionRecord } from '@switchyard/contracts';
import type { Failure, ToolCall, ToolOutcome, TurnState, Usage } from './turn-state';

/** Of an answer that is refused: why, and from which frame on readers have heard it. */
type AnswerCheck = { ok: true; output: unknown } | { ok: false; problem: string; fromSeq: number };

/** An update of a turn. Ids and times are inputs, so the same updates always give the same frames. */
export type Update =
  | { type: 'begin' }
  | { type: 'retrieved'; items: Evidence[] }
  | { type: 'model-called'; messageId: string }
  | { type: 'delta'; text: string }
  | { type: 'reasoning'; text: string }
  | {
      type: 'model-finished';
      toolCalls: ToolCall[];
      usage: Usage;
      finishReason: string;
      model: string;
      /** Only where the answer must match a schema. */
      answerCheck?: AnswerCheck;
    }
  | { type: 'tools-started'; at: number }
  | { type: 'tool-settled'; callId: string; outcome: ToolOutcome; at: number }
  | { type: 'asked'; interaction: InteractionRecord }
  | { type: 'answered'; callId: string; output: unknown; interaction: InteractionRecord; at: number }
  | {
      type: 'decided';
      approved: ReadonlySet<string>;
      /** The model's error for calls that were shown and may not run. */
      denial: string;
      shown: readonly string[];
      interaction: InteractionRecord;
      at: number;
    }
  | { type: 'taken-over'; fromSeq: number; at: number }
  | ({ type: 'failed' } & Failure)
  | { type: 'cancelled' };

export type Effect =
  | { type: 'retrieve' }
  | { type: 'call-model' }
  | { type: 'save' }
  | { type: 'run-tools'; callIds: string[] }
  | { type: 'ask'; callId: string }
  | { type: 'ask-approval' }
  | { type: 'close' };

export interface Step {
  state: TurnState;
  frames: FrameBody[];
  effects: Effect[];
}
