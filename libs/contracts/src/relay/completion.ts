import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { Attribution } from './usage-attribution';
import { ModelMessage, ModelTool, ModelToolCall } from './model-message';

export class CompletionSettings {
  @Field(f.number({ min: 0, max: 2 }), { optional: true }) temperature?: number;
  @Field(f.int({ min: 1 }), { optional: true }) maxTokens?: number;
  @Field(f.number({ min: 0, max: 1 }), { optional: true }) topP?: number;
  @Field(f.number(), { optional: true }) frequencyPenalty?: number;
  @Field(f.number(), { optional: true }) presencePenalty?: number;
  @Field(f.list(f.text({ min: 1, max: 1000 }), { max: 16 }), { optional: true }) stop?: string[];
}

const model = f.text({ min: 1, max: 200 });
const messages = f.list(
  f.object(() => ModelMessage),
  { min: 1, max: 10_000 },
);
const tools = f.list(
  f.object(() => ModelTool),
  { max: 512 },
);

/** One model call. The relay picks the upstream, checks the budget, meters, and falls back before the first frame. */
export class CompleteRequest {
  @Field(model) model!: string;
  @Field(messages) messages!: ModelMessage[];
  @Field(tools, { optional: true }) tools?: ModelTool[];
  @Field(f.json(PLATFORM_WRITTEN), {
    optional: true,
    description: "`auto`, `none`, `required`, or OpenAI's object that names one.",
  })
  toolChoice?: string | JsonObject;
  @Field(f.object(() => CompletionSettings), { optional: true }) settings?: CompletionSettings;
  @Field(f.record(PLATFORM_WRITTEN), { optional: true, description: "OpenAI's `response_format`." })
  responseFormat?: JsonObject;
  @Field(f.list(model, { max: 10 }), { optional: true }) fallbackModels?: string[];
  @Field(f.object(() => Attribution)) attribution!: Attribution;
  @Field(f.text({ min: 1, max: 300 }), {
    optional: true,
    description: 'The same key again: a completed call is metered once.',
  })
  requestKey?: string;
}

/** Checks everything that can refuse a call, before a stream to the client is opened. Reserves nothing. */
export class PreflightRequest {
  @Field(model) model!: string;
  @Field(messages, { optional: true }) messages?: ModelMessage[];
  @Field(tools, { optional: true }) tools?: ModelTool[];
  @Field(f.int({ min: 1 }), { optional: true }) maxTokens?: number;
  @Field(f.list(model, { max: 10 }), { optional: true }) fallbackModels?: string[];
}

/** Budget headroom large enough to skip the check for a while. */
export class AmpleRoom {
  @Field(f.int({ min: 1 }), { description: 'Of prompt and answer together.' }) tokens!: number;
  @Field(f.int({ min: 0 })) forMs!: number;
}

export class PreflightReply {
  @Field(f.int(), { description: 'What a call would reserve.' }) estimatedTokens!: number;
  @Field(f.int()) contextWindow!: number;
  @Field(f.int()) maxOutputTokens!: number;
  @Field(f.int(), { description: 'More than this is refused, prompt and asked output together.' })
  requestTokenCap!: number;
  @Field(f.object(() => AmpleRoom), {
    optional: true,
    description: 'Calls of up to so many tokens need not be asked about, where their key has no token limits.',
  })
  ample?: AmpleRoom;
}

export class CompletionUsage {
  @Field(f.int({ min: 0 })) promptTokens!: number;
  @Field(f.int({ min: 0 })) completionTokens!: number;
  @Field(f.int({ min: 0 })) totalTokens!: number;
  @Field(f.number({ min: 0 })) cost!: number;
  @Field(f.bool(), { description: 'Counted by us, because the upstream gave no usage.' }) estimated!: boolean;
}

export const FRAME_KINDS = ['delta', 'reasoning', 'tool-call', 'done'] as const;

/**
 * `delta {text}` and `reasoning {text}` as they arrive, `tool-call {index, toolCall}` for each complete call, then one
 * `done {finishReason, usage, model}` when the call is settled.
 */
export class CompletionFrame {
  @Field(f.oneOf(FRAME_KINDS)) kind!: (typeof FRAME_KINDS)[number];
  @Field(f.text({ max: 16_777_216 }), { optional: true }) text?: string;
  @Field(f.int({ min: 0 }), { optional: true }) index?: number;
  @Field(f.object(() => ModelToolCall), { optional: true }) toolCall?: ModelToolCall;
  @Field(f.text(), {
    optional: true,
    description: '`stop`, `length`, `tool_calls`, `content_filter` or what the upstream says.',
  })
  finishReason?: string;
  @Field(f.object(() => CompletionUsage), { optional: true }) usage?: CompletionUsage;
  @Field(f.text(), { optional: true, description: 'The catalogue id that answered: a fallback, perhaps.' })
  model?: string;
}
