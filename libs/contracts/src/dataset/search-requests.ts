import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

const names = f.list(f.text({ min: 1, max: 63 }), { min: 1, max: 103 });
const FILTER = 'Only records that fulfil it are ranked.';

@Described('A search by the meaning of a text.')
export class RecordSearch {
  @Field(f.text({ min: 1, max: 8192 }), { description: 'Text that the records should match.' }) query!: string;
  @Field(f.int({ min: 1, max: 100 }), { optional: true, description: 'How many records (default 10).' }) topK?: number;
  @Field(f.record(SIZES.filter), { optional: true, description: FILTER }) filter?: JsonObject;
  @Field(f.number(), {
    optional: true,
    description: 'Leaves out records of a lower score; in hybrid search that is the fused score, of at most 2/61.',
  })
  minScore?: number;
  @Field(names, {
    optional: true,
    description: 'Fields of the answer; where vector fields are among them, only those are searched.',
  })
  fields?: string[];
}

export class SearchRecords extends RecordSearch {
  @Field(f.id()) datasetId!: string;
}

@Described('A record and how well it matches.')
export class SearchHit {
  @Field(f.record(PLATFORM_WRITTEN), { description: 'The record.' }) record!: JsonObject;
  @Field(f.number(), {
    description:
      'Cosine similarity to six decimals, 1 for the same text; for hybrid search the fused score: the sum of 1 / (60 + place) over both rankings.',
  })
  score!: number;
}

@Described('A search by words.')
export class TextSearch {
  @Field(f.text({ min: 1, max: 8192 }), { description: 'Words, "phrases", `or`, and `-words` that must not occur.' })
  query!: string;
  @Field(names, { optional: true, description: 'The full-text fields to look in; all of them unless given.' })
  fields?: string[];
  @Field(f.record(SIZES.filter), { optional: true, description: FILTER }) filter?: JsonObject;
  @Field(f.int({ min: 1, max: 1000 }), { optional: true, description: 'Records of one page (default 50).' })
  limit?: number;
  @Field(f.text({ min: 1, max: 4096 }), { optional: true, description: '`nextCursor` of the previous page.' })
  cursor?: string;
  @Field(f.bool(), {
    optional: true,
    description: 'Adds excerpts with the words in `<mark>`; the rest is HTML-escaped.',
  })
  highlight?: boolean;
}

export class SearchText extends TextSearch {
  @Field(f.id()) datasetId!: string;
}

@Described('A record and the rank of its match.')
export class TextHit {
  @Field(f.record(PLATFORM_WRITTEN), { description: 'The record.' }) record!: JsonObject;
  @Field(f.number(), { description: 'Rank of the match. Higher is better.' }) rank!: number;
  @Field(f.record(PLATFORM_WRITTEN, f.text()), {
    optional: true,
    description: 'An excerpt of each field that has the words.',
  })
  highlight?: Record<string, string>;
}

export class TextHits {
  @Field(f.list(f.object(() => TextHit))) items!: TextHit[];
  @Field(f.text(), { nullable: true }) nextCursor!: string | null;
}
