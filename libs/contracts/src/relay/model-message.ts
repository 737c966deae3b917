import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';

export const MODEL_ROLES = ['system', 'user', 'assistant', 'tool'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** A tool call of the model; `arguments` is the JSON text as the model wrote it. */
export class ModelToolCall {
  @Field(f.text({ min: 1, max: 200 })) id!: string;
  @Field(f.text({ min: 1, max: 200 })) name!: string;
  @Field(f.text({ max: 4_194_304 })) arguments!: string;
}

/** A message part in OpenAI's format: `{type: 'text', text}`, `{type: 'image_url', image_url: {url}}`, ... */
export type ModelContentPart = { type: string } & JsonObject;

export class ModelMessage {
  @Field(f.oneOf(MODEL_ROLES)) role!: ModelRole;
  @Field(
    f.schema({
      type: ['string', 'array', 'null'],
      items: { type: 'object', required: ['type'], properties: { type: { type: 'string' } } },
    }),
  )
  content!: string | ModelContentPart[] | null;
  @Field(
    f.list(
      f.object(() => ModelToolCall),
      { max: 128 },
    ),
    { optional: true },
  )
  toolCalls?: ModelToolCall[];
  @Field(f.text({ max: 200 }), { optional: true, description: 'Of a tool message: the call that it answers.' })
  toolCallId?: string;
  @Field(f.text({ max: 200 }), { optional: true }) name?: string;
}

export class ModelTool {
  @Field(f.text({ min: 1, max: 200 })) name!: string;
  @Field(f.text({ max: 8000 }), { optional: true }) description?: string;
  @Field(f.record(PLATFORM_WRITTEN), { optional: true, description: 'JSON Schema of the arguments.' })
  parameters?: JsonObject;
}
