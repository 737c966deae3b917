import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';
import { LeasedTurn } from './turn-checkpoints';

export const TOOL_CALL_STATUSES = ['PENDING', 'ANSWERED', 'EXPIRED'] as const;
export type ToolCallStatus = (typeof TOOL_CALL_STATUSES)[number];

/** The turn waits for its host to run a tool. Idempotent. */
export class AwaitToolResult extends LeasedTurn {
  @Field(f.text({ min: 1, max: 200 })) callId!: string;
  @Field(f.text({ min: 1, max: 200 })) name!: string;
  @Field(f.time()) expiresAt!: string;
}

/**
 * The host's answer to a local tool call. NOT_FOUND for an unknown call, CONFLICT for an answered or ended one,
 * PAYLOAD_TOO_LARGE if the answers of the turn are too large together.
 */
export class RecordToolResult {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) turnId!: string;
  @Field(f.id(), { optional: true, description: 'Must be that of the turn, where it is given.' }) sessionId?: string;
  @Field(f.text({ min: 1, max: 200 })) callId!: string;
  @Field(f.json(SIZES.toolValue), { optional: true }) result?: unknown;
  @Field(f.text({ min: 1, max: 65_536 }), { optional: true }) error?: string;
}

export class ToolResultsOf extends LeasedTurn {
  @Field(f.text({ min: 1, max: 200 }), {
    optional: true,
    description:
      'Of this call alone. Without it, or `expire`, those of the whole turn come, as agents of an earlier version ask.',
  })
  callId?: string;
  @Field(f.text({ min: 1, max: 200 }), {
    optional: true,
    description: 'End the wait for this call, unless it has its answer, or its time is not over or stands still.',
  })
  expire?: string;
}

export class ToolResult {
  @Field(f.text()) callId!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(TOOL_CALL_STATUSES)) status!: ToolCallStatus;
  @Field(f.json(SIZES.toolValue), { optional: true }) result?: unknown;
  @Field(f.text(), { nullable: true }) error!: string | null;
  @Field(f.time()) expiresAt!: string;
}

export class ToolAnswered {
  @Field(f.id()) key!: string;
  @Field(f.text()) callId!: string;
}
