import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { Attribution } from './usage-attribution';
import { CompletionUsage } from './completion';

export class EmbedRequest {
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'The default embedding model unless given.' })
  model?: string;
  @Field(f.list(f.text(), { min: 1, max: 2048 })) texts!: string[];
  @Field(f.object(() => Attribution)) attribution!: Attribution;
  @Field(f.text({ min: 1, max: 300 }), {
    optional: true,
    description: 'The same key again: a completed call is metered once.',
  })
  requestKey?: string;
}

export class EmbedReply {
  @Field(f.text()) model!: string;
  @Field(f.int()) dimensions!: number;
  /** Little-endian 32-bit floats in base64, one text for each input: a third of the size of JSON numbers. */
  @Field(f.list(f.text())) vectors!: string[];
  @Field(f.object(() => CompletionUsage)) usage!: CompletionUsage;
}
