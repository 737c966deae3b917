import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { ModelMessage } from './model-message';

export const CAPABILITIES = [
  'chat',
  'completions',
  'embeddings',
  'responses',
  'tools',
  'json',
  'vision',
  'audio',
  'images',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** A catalogue entry, without its upstream's address or key. */
export class ModelView {
  @Field(f.text()) id!: string;
  @Field(f.text()) ownedBy!: string;
  @Field(f.int()) contextWindow!: number;
  @Field(f.int()) maxOutputTokens!: number;
  @Field(f.list(f.oneOf(CAPABILITIES))) capabilities!: Capability[];
  @Field(f.number(), { description: 'Price of a million prompt tokens.' }) inputPrice!: number;
  @Field(f.number(), { description: 'Price of a million answer tokens.' }) outputPrice!: number;
  @Field(f.int(), { nullable: true }) embeddingDimensions!: number | null;
  @Field(f.bool(), { description: 'Used where no embedding (or chat) model is named.' }) isDefault!: boolean;
}

export class ModelById {
  @Field(f.text({ min: 1, max: 200 })) id!: string;
}

export class CountTokensRequest {
  @Field(f.text({ min: 1, max: 200 })) model!: string;
  @Field(
    f.list(
      f.object(() => ModelMessage),
      { max: 10_000 },
    ),
    { optional: true },
  )
  messages?: ModelMessage[];
  @Field(f.list(f.text({ max: 4_194_304 }), { max: 2048 }), { optional: true }) texts?: string[];
}

export class TokenCount {
  @Field(f.int({ min: 0 }), { description: 'Of messages and texts together.' }) tokens!: number;
  @Field(f.list(f.int({ min: 0 })), { description: 'One number per text.' }) perText!: number[];
}
