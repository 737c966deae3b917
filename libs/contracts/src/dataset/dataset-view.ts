import { FIELD_TYPES, type FilterFieldType } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

export const SEARCH_LANGUAGES = [
  'simple',
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'nepali',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
  'yiddish',
] as const;
export type SearchLanguage = (typeof SEARCH_LANGUAGES)[number];

@Described("A field of a dataset's records.")
export class DatasetField {
  @Field(f.text({ min: 1, max: 63 }), {
    description: 'Letters, digits and underscores; its case counts.',
    example: 'title',
  })
  name!: string;
  @Field(f.oneOf(FIELD_TYPES), { example: 'string', description: 'Type of the values.' }) type!: FilterFieldType;
  @Field(f.bool(), { optional: true, description: 'Every record has a value for it.' }) required?: boolean;
  @Field(f.bool(), {
    optional: true,
    description: 'No two records have the same value; can serve `onConflict`. Texts of up to 2000 bytes.',
  })
  unique?: boolean;
  @Field(f.bool(), {
    optional: true,
    description: 'Filters and sorts on it stay fast as the dataset grows. Texts of up to 2000 bytes.',
  })
  indexed?: boolean;
  @Field(f.bool(), {
    optional: true,
    description:
      'Its words are found by full-text search. Of the full-text fields the first weighs most in the rank, then the second, then the third; those behind weigh alike. The order is that of creation: fields that are added later come last.',
  })
  fullText?: boolean;
  @Field(f.bool(), { optional: true, description: 'Its meaning is found by vector search.' }) vector?: boolean;
  @Field(f.json(SIZES.schema), { optional: true, description: 'Given to inserted records that do not have the field.' })
  default?: unknown;
  @Field(f.list(f.json(SIZES.schema), { min: 1, max: 1000 }), {
    optional: true,
    description: 'The only values it takes.',
  })
  enum?: unknown[];
}

@Described("The fields of a dataset's records.")
export class DatasetSchema {
  @Field(
    f.list(
      f.object(() => DatasetField),
      { min: 1, max: 100 },
    ),
    { description: 'Fields of a record.' },
  )
  fields!: DatasetField[];
  @Field(f.oneOf(SEARCH_LANGUAGES), {
    optional: true,
    description: 'How full-text search reads words (default `english`); set at creation.',
  })
  language?: SearchLanguage;
}

@Described('A dataset, without its records.')
export class DatasetView {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.object(() => DatasetSchema), { description: 'Fields of the records.' }) schema!: DatasetSchema;
  @Field(f.int({ min: 0 }), { description: 'Number of records.' }) recordCount!: number;
  @Field(f.int({ min: 1 }), { description: 'Goes up with every change of the dataset itself.' }) version!: number;
  @Field(f.id(), { nullable: true }) createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
}
