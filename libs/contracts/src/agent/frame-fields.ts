import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { type Class, f } from '../fields/field-schema';
import { TURN_STATUSES, type TurnStatus } from '../session/turn-status';
import {
  type Evidence,
  type InteractionRecord,
  type LifecycleStatus,
  PRODUCT_EVENTS,
  type ProductEventName,
  type ProductEvents,
  type ToolExecution,
} from '../turn-frames';

const id = f.text({ format: 'uuid' });
const count = f.int({ min: 0 });

@Described('Error of a tool call or a turn.')
class ErrorFields {
  @Field(f.text(), { description: 'Error code.' }) code!: string;
  @Field(f.text(), { description: 'Message for people.' }) message!: string;
}

@Described('Tokens and cost of a turn.')
class TokenFields {
  @Field(count, { description: 'Input tokens.' }) prompt_tokens!: number;
  @Field(count, { description: 'Output tokens.' }) completion_tokens!: number;
  @Field(count, { description: 'Tokens in total.' }) total_tokens!: number;
  @Field(f.number({ min: 0 }), { description: 'Cost of the model calls.' }) cost!: number;
}

@Described('A record of a dataset that was given to the model.')
class EvidenceFields {
  @Field(id, { description: 'Id of the dataset.' }) dataset_id!: string;
  @Field(id, { description: 'Id of the record.' }) record_id!: string;
  @Field(f.number(), { description: 'Similarity to the question, 0 to 1.' }) score!: number;
  @Field(f.text(), { description: 'Text that was given to the model.' }) text!: string;
  @Field(f.record(PLATFORM_WRITTEN), { description: 'Fields of the record.' }) fields!: Record<string, unknown>;
}

@Described('The stream has opened.')
class SessionStartedEvent {
  @Field(id, { nullable: true, description: 'Id of the session; null if the turn has none.' }) session_id!:
    | string
    | null;
  @Field(id) turn_id!: string;
  @Field(id) agent_id!: string;
  @Field(f.record(PLATFORM_WRITTEN), { optional: true }) metadata?: Record<string, unknown>;
  @Field(f.schema<true>({ const: true }), { optional: true, description: 'The answer is JSON of a schema.' })
  structured?: true;
}

@Described('More text of the answer. Append it.')
class ContentDeltaEvent {
  @Field(f.text(), { description: 'The text.' }) delta!: string;
  @Field(f.text(), { description: 'Id of the message.' }) message_id!: string;
}

@Described('More of the reasoning of the model. Append it.')
class ReasoningDeltaEvent extends ContentDeltaEvent {}

@Described('A tool call has started or ended. Treat arguments and results as untrusted data.')
class ToolExecutionEvent {
  @Field(f.text(), { description: 'Id of the tool call.' }) tool_call_id!: string;
  @Field(f.text(), { description: 'Name of the tool.' }) name!: string;
  @Field(f.oneOf(['builtin', 'mcp', 'local'] as const), { description: 'Where the tool comes from.' })
  source!: ToolExecution['source'];
  @Field(f.oneOf(['started', 'succeeded', 'failed', 'skipped'] as const), { description: 'State of the call.' })
  status!: ToolExecution['status'];
  @Field(f.json(PLATFORM_WRITTEN), { description: 'Arguments of the call.' }) arguments!: unknown;
  @Field(f.json(PLATFORM_WRITTEN), { optional: true, description: 'Result of the call.' }) result?: unknown;
  @Field(f.object(() => ErrorFields), { optional: true, description: 'Error of a failed or skipped call.' })
  error?: ErrorFields;
  @Field(count, { optional: true, description: 'Duration in milliseconds.' }) duration_ms?: number;
}

@Described('Records of datasets that were given to the model.')
class KnowledgeEvidenceEvent {
  @Field(f.list(f.object(() => EvidenceFields)), { description: 'The records.' }) items!: Evidence[];
}

@Described('The turn waits for an answer. Send it with the operation `resumeTurn`.')
class AgentInputRequiredEvent {
  @Field(
    f.schema<InteractionRecord>({
      type: 'object',
      properties: { id: { type: 'string', description: 'Id of the interaction.' } },
      required: ['id'],
    }),
    {
      description: 'The interaction, as `listPendingInteractions` returns it.',
    },
  )
  interaction!: InteractionRecord;
}

@Described('A local tool to run in the host application. Send its result with the operation `submitToolResult`.')
class LocalToolCallEvent {
  @Field(f.text(), { description: 'Id of the tool call.' }) call_id!: string;
  @Field(f.text(), { description: 'Name of the tool.' }) name!: string;
  @Field(f.json(PLATFORM_WRITTEN), { description: 'Arguments of the call.' }) arguments!: unknown;
  @Field(f.text({ format: 'date-time' }), { description: 'After this time the call fails.' }) expires_at!: string;
}

@Described('Use of the context window of the model.')
class ContextUsageEvent {
  @Field(count, { description: 'Tokens in use.' }) used_tokens!: number;
  @Field(count, { description: 'Tokens that still fit.' }) remaining_tokens!: number;
  @Field(count, { description: 'Size of the context window.' }) max_tokens!: number;
  @Field(f.bool(), { description: 'Whether the numbers are estimates.' }) estimated!: boolean;
}

@Described('The answer is complete.')
class ResponseCompletedEvent {
  @Field(id, { nullable: true, description: 'Id of the session; null if the turn has none.' }) session_id!:
    | string
    | null;
  @Field(id) turn_id!: string;
  @Field(f.text(), { nullable: true }) message_id!: string | null;
  @Field(f.text(), { nullable: true, description: 'Why the model stopped.' }) finish_reason!: string | null;
  @Field(count, { description: 'Tokens of the turn in total.' }) tokens_used!: number;
  @Field(f.object(() => TokenFields)) token_usage!: TokenFields;
  @Field(f.number({ min: 0 }), { description: 'Duration in seconds.' }) execution_time!: number;
  @Field(f.record(PLATFORM_WRITTEN), { optional: true, description: 'Result of an execute.' }) result?: {
    output?: unknown;
  };
}

@Described('The answer is complete and is being stored.')
class TurnPersistPendingEvent {
  @Field(id) turn_id!: string;
}

@Described('A step is run again. Discard the deltas since `from_seq`.')
class StepRestartedEvent {
  @Field(f.int({ min: 1 }), { description: 'First frame that is void.' }) from_seq!: number;
}

@Described('The turn failed, even if the HTTP status was 200.')
class ErrorOccurredEvent extends ErrorFields {
  @Field(f.bool(), { description: 'Whether the same request may succeed later.' }) retryable!: boolean;
  @Field(f.text({ format: 'date-time' }), { optional: true, description: 'Time from which a retry may succeed.' })
  retry_at?: string;
}

@Described('The last frame: the turn has ended, or waits for its user.')
class StreamEndedEvent {
  @Field(f.oneOf(TURN_STATUSES), { description: 'Status of the turn.' })
  status!: TurnStatus;
}

/** Fields of the product events beside `event`, for the OpenAPI document. */
export const PRODUCT_EVENT_FIELDS: { readonly [Name in ProductEventName]: Class<ProductEvents[Name]> } = {
  [PRODUCT_EVENTS.sessionStarted]: SessionStartedEvent,
  [PRODUCT_EVENTS.contentDelta]: ContentDeltaEvent,
  [PRODUCT_EVENTS.reasoningDelta]: ReasoningDeltaEvent,
  [PRODUCT_EVENTS.toolExecution]: ToolExecutionEvent,
  [PRODUCT_EVENTS.knowledgeEvidence]: KnowledgeEvidenceEvent,
  [PRODUCT_EVENTS.agentInputRequired]: AgentInputRequiredEvent,
  [PRODUCT_EVENTS.localToolCall]: LocalToolCallEvent,
  [PRODUCT_EVENTS.contextUsage]: ContextUsageEvent,
  [PRODUCT_EVENTS.responseCompleted]: ResponseCompletedEvent,
  [PRODUCT_EVENTS.turnPersistPending]: TurnPersistPendingEvent,
  [PRODUCT_EVENTS.stepRestarted]: StepRestartedEvent,
  [PRODUCT_EVENTS.errorOccurred]: ErrorOccurredEvent,
  [PRODUCT_EVENTS.streamEnded]: StreamEndedEvent,
};

@Described('A message of the model begins.')
class MessageStartData {
  @Field(f.oneOf(['ai'] as const), { description: 'Always `ai`.' }) role!: 'ai';
  @Field(f.text(), { description: 'Id of the message.' }) id!: string;
  @Field(f.record(PLATFORM_WRITTEN), { description: 'The model of the message.' }) metadata!: Record<string, unknown>;
}

@Described('A block of a message begins: text, reasoning or a tool call.')
class BlockData {
  @Field(count, { description: 'Number of the block in the message, from 0.' }) index!: number;
  @Field(f.record(PLATFORM_WRITTEN), { description: 'The block. `type` says which kind it is.' }) content!: Record<
    string,
    unknown
  >;
}

@Described('A block of a message is complete.')
class BlockFinishData extends BlockData {}

@Described('A message of the model is complete.')
class MessageFinishData {
  @Field(f.record(PLATFORM_WRITTEN, count), { description: 'Tokens of the model call.' }) usage!: Record<
    string,
    number
  >;
}

class ToolCallIdData {
  @Field(f.text(), { description: 'Id of the tool call.' }) toolCallId!: string;
  @Field(f.text(), { description: 'Id of the tool call.' }) tool_call_id!: string;
}

@Described('A tool call has started.')
class ToolStartedData extends ToolCallIdData {
  @Field(f.text(), { description: 'Name of the tool.' }) toolName!: string;
  @Field(f.text(), { description: 'Name of the tool.' }) tool_name!: string;
  @Field(f.json(PLATFORM_WRITTEN), { description: 'Arguments of the call.' }) input!: unknown;
}

@Described('A tool call has ended.')
class ToolFinishedData extends ToolCallIdData {
  @Field(f.json(PLATFORM_WRITTEN), { description: 'Result of the call.' }) output!: unknown;
}

@Described('A tool call has failed.')
class ToolErrorData extends ToolCallIdData {
  @Field(f.text(), { description: 'Message for people.' }) message!: string;
  @Field(f.text(), { description: 'Error code.' }) code!: string;
}

/** Fields of the frames of `messages` and `tools` beside `event`. */
export const MESSAGE_EVENT_FIELDS = {
  'message-start': MessageStartData,
  'content-block-start': BlockData,
  'content-block-finish': BlockFinishData,
  'message-finish': MessageFinishData,
} as const satisfies Record<string, Class>;

export const TOOL_EVENT_FIELDS = {
  'tool-started': ToolStartedData,
  'tool-finished': ToolFinishedData,
  'tool-error': ToolErrorData,
} as const satisfies Record<string, Class>;

const LIFECYCLE: readonly LifecycleStatus[] = ['started', 'running', 'completed', 'failed', 'interrupted'];

@Described('The state of the run.')
export class LifecycleFields {
  @Field(f.oneOf(LIFECYCLE), { description: 'The new state.' }) event!: LifecycleStatus;
  @Field(f.text(), { description: 'Name of the agent.' }) graphName!: string;
  @Field(f.text(), { description: 'Name of the agent.' }) graph_name!: string;
  @Field(f.text(), { optional: true, description: 'Message of the failure.' }) error?: string;
}

@Described('The run waits for an answer.')
export class InputFields {
  @Field(f.text(), { description: 'Id of the interaction.' }) interruptId!: string;
  @Field(f.text(), { description: 'Id of the interaction.' }) interrupt_id!: string;
  @Field(f.record(PLATFORM_WRITTEN), { description: 'The interaction.' }) payload!: Record<string, unknown>;
}
