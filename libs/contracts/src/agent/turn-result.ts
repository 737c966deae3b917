import { AppError, type JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { ContentItem } from '../session/content-items';
import { REASONING_MAX } from '../session/message';
import { RETRYABLE_DESCRIPTION, RETRY_AT_DESCRIPTION } from '../session/turn';
import { TURN_STATUSES, type TurnStatus } from '../session/turn-status';

@Described('Tokens and cost of a turn.')
export class UsageReport {
  @Field(f.int(), { description: 'Input tokens.' }) prompt_tokens!: number;
  @Field(f.int(), { description: 'Output tokens.' }) completion_tokens!: number;
  @Field(f.int(), { description: 'Tokens in total.' }) total_tokens!: number;
  @Field(f.number(), { description: 'Cost of the model calls.' }) cost!: number;
}

export class TurnFailure {
  @Field(f.text()) code!: string;
  @Field(f.text()) message!: string;
  @Field(f.bool(), { optional: true, description: RETRYABLE_DESCRIPTION }) retryable?: boolean;
  @Field(f.time(), { optional: true, description: RETRY_AT_DESCRIPTION }) retryAt?: string;
}

/** Only guards against a broken upstream: models have lower limits. */
export const ANSWER_MAX = 67_108_864;

export const REASONING_TEXT = `What the model thought in this turn, where its upstream shows it: the first ${REASONING_MAX} characters.`;

/** Outcome of a run of the turn: an answer, a question, cancelled or failed. */
export class TurnResult {
  @Field(f.id(), { nullable: true }) session_id!: string | null;
  @Field(f.id()) turn_id!: string;
  @Field(f.id()) agent_id!: string;
  @Field(f.id(), { nullable: true }) message_id!: string | null;
  @Field(f.oneOf(TURN_STATUSES)) status!: TurnStatus;
  @Field(f.text({ max: ANSWER_MAX })) answer!: string;
  @Field(f.text({ max: REASONING_MAX }), { optional: true, description: REASONING_TEXT }) reasoning?: string;
  @Field(f.list(f.object(() => ContentItem))) content!: ContentItem[];
  @Field(f.list(f.record(PLATFORM_WRITTEN))) tool_executions!: JsonObject[];
  @Field(f.list(f.record(PLATFORM_WRITTEN))) evidence!: JsonObject[];
  @Field(f.record(PLATFORM_WRITTEN), { nullable: true }) interaction!: JsonObject | null;
  @Field(f.text(), { nullable: true }) finish_reason!: string | null;
  @Field(f.int()) tokens_used!: number;
  @Field(f.object(() => UsageReport)) token_usage!: UsageReport;
  @Field(f.number(), { description: 'Seconds.' }) execution_time!: number;
  @Field(f.json(PLATFORM_WRITTEN), {
    optional: true,
    description: 'The parsed answer of an agent with a responseSchema.',
  })
  output?: unknown;
  @Field(f.object(() => TurnFailure), { nullable: true }) error!: TurnFailure | null;
}

@Described('Outcome of a cancellation.')
export class CancelOutcome {
  @Field(f.id()) turn_id!: string;
  @Field(f.text(), { description: 'Status of the turn after the request.' }) status!: string;
}

@Described('The accepted result.')
export class ToolResultOutcome {
  @Field(f.id()) turn_id!: string;
  @Field(f.text(), { description: 'Id of the tool call.' }) call_id!: string;
}

/** Throws the error of a failed turn, for calls that do not stream. */
export function requireNotFailed(result: TurnResult): TurnResult {
  if (result.status !== 'FAILED') return result;
  throw errorOfTurn(result.error ?? { code: 'SERVER_ERROR', message: 'The turn failed.' });
}

/** The header stops OpenAI clients and ours from retrying by themselves. */
export function errorOfTurn({ code, message, retryable, retryAt }: TurnFailure): AppError {
  const headers = retryable === false ? { 'x-should-retry': 'false' } : undefined;
  const error = AppError.fromJSON({ code, message, headers, retryAfterSeconds: secondsUntil(retryAt) });
  if (error.status !== 429 || error.retryAfterSeconds !== undefined) return error;
  // Stored by a version without the retry time.
  return AppError.fromJSON({ ...error.toJSON(), retryAfterSeconds: 1 });
}

const secondsUntil = (time: string | undefined): number | undefined => {
  const remaining = time === undefined ? NaN : Date.parse(time) - Date.now();
  return Number.isNaN(remaining) ? undefined : Math.max(1, Math.ceil(remaining / 1000));
};
