import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';
import { ContentItem } from './content-items';

export const TRANSCRIPT_ROLES = ['user', 'assistant', 'tool', 'event'] as const;
export type TranscriptRole = (typeof TRANSCRIPT_ROLES)[number];

/** Most characters of reasoning stored for a turn: some 130,000 tokens. */
export const REASONING_MAX = 524_288;

@Described('A tool call of the model.')
export class ToolCallRecord {
  @Field(f.text({ min: 1, max: 200 }), { description: 'Id of the tool call.' }) id!: string;
  @Field(f.text({ min: 1, max: 200 }), { description: 'Name of the tool.' }) name!: string;
  @Field(f.json(SIZES.toolValue), { description: 'The arguments as parsed JSON.' }) arguments!: unknown;
}

@Described('Tokens and cost of a model call.')
export class MessageUsage {
  @Field(f.int({ min: 0 }), { description: 'Input tokens.' }) promptTokens!: number;
  @Field(f.int({ min: 0 }), { description: 'Output tokens.' }) completionTokens!: number;
  @Field(f.int({ min: 0 }), { description: 'Tokens in total.' }) totalTokens!: number;
  @Field(f.number({ min: 0 }), { optional: true, description: 'Cost of the call.' }) cost?: number;
}

/** `seq` is assigned when it is stored. */
export class NewMessage {
  @Field(f.id(), { optional: true, description: 'Given where the stream has already named it.' }) id?: string;
  @Field(f.oneOf(TRANSCRIPT_ROLES)) role!: TranscriptRole;
  @Field(
    f.list(
      f.object(() => ContentItem),
      { max: 200 },
    ),
  )
  content!: ContentItem[];
  @Field(f.text({ max: REASONING_MAX }), { optional: true }) reasoning?: string;
  @Field(
    f.list(
      f.object(() => ToolCallRecord),
      { max: 128 },
    ),
    { optional: true },
  )
  toolCalls?: ToolCallRecord[];
  @Field(f.text({ max: 200 }), { optional: true }) toolCallId?: string;
  @Field(f.text({ max: 200 }), { optional: true }) name?: string;
  @Field(f.record(SIZES.toolValue), { optional: true, description: 'What happened, for the role `event`.' })
  event?: JsonObject;
  @Field(f.object(() => MessageUsage), { optional: true }) tokenUsage?: MessageUsage;
  @Field(f.text({ max: 200 }), { optional: true }) model?: string;
  @Field(f.text({ max: 50 }), { optional: true }) finishReason?: string;
}

@Described('A message or an event of a session.')
export class MessageView {
  @Field(f.id()) id!: string;
  @Field(f.id()) sessionId!: string;
  @Field(f.id(), { nullable: true, description: 'Id of the turn; null if it belongs to none.' }) turnId!: string | null;
  @Field(f.int({ min: 1 }), { description: 'Contiguous within the session, from 1.' }) seq!: number;
  @Field(f.oneOf(TRANSCRIPT_ROLES), { description: 'Author of the message.' }) role!: TranscriptRole;
  @Field(f.list(f.object(() => ContentItem))) content!: ContentItem[];
  @Field(f.text({ max: REASONING_MAX }), {
    optional: true,
    description: 'Reasoning of the model. It is never sent to a model again.',
  })
  reasoning?: string;
  @Field(f.list(f.object(() => ToolCallRecord)), {
    optional: true,
    description: "Tool calls of an assistant's message.",
  })
  toolCalls?: ToolCallRecord[];
  @Field(f.text(), { optional: true, description: "Id of the tool call that a tool's message answers." })
  toolCallId?: string;
  @Field(f.text(), { optional: true, description: 'Name of the tool.' }) name?: string;
  @Field(f.record(SIZES.toolValue), { optional: true, description: 'The event, for the role `event`.' })
  event?: JsonObject;
  @Field(f.object(() => MessageUsage), { optional: true, description: 'Tokens of the model call.' })
  tokenUsage?: MessageUsage;
  @Field(f.text(), { optional: true, description: 'Id of the model.' }) model?: string;
  @Field(f.text(), { optional: true, description: 'Why the model stopped.' }) finishReason?: string;
  @Field(f.time()) createdAt!: string;
}

/** The newest page, oldest message first; its cursor leads to the previous page. */
export class NewestMessages extends PageRequest {
  @Field(f.id()) sessionId!: string;
}

/** One page, oldest first. It may be shorter than `limit`, as pages are limited in bytes too. */
export class ListMessages extends PageRequest {
  @Field(f.id()) sessionId!: string;
  @Field(f.int({ min: 0 }), { optional: true, description: 'Only messages with a greater seq.' }) after?: number;
  @Field(f.id(), { optional: true, description: 'Only messages of this turn.' }) turnId?: string;
}

export class MessagePageRequest extends PageRequest {
  @Field(f.queryInt({ min: 0, max: 2_147_483_647 }), {
    optional: true,
    description: 'Only messages with a greater seq.',
  })
  after?: number;
  @Field(f.id(), { optional: true, description: 'Only messages of this turn.' }) turnId?: string;
}
