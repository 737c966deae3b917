import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

export const MAX_RECORDS = 1000;
/** A cursor contains the sort values of the last row: prefixes of up to five texts. */
export const MAX_CURSOR = 65_536;

const FILTER = 'Conditions as `{"price": {"gte": 10}, "or": [{"state": "new"}, {"state": ["a", "b"]}]}`; `{}` is all.';
const ids = f.list(f.id(), { max: MAX_RECORDS });

@Described('Handling of records whose unique values already exist.')
export class OnConflict {
  @Field(f.text({ min: 1, max: 63 }), { description: 'A unique field.' }) field!: string;
  @Field(f.oneOf(['UPDATE', 'SKIP'] as const), { description: 'Update the existing record, or skip the new one.' })
  action!: 'UPDATE' | 'SKIP';
}

@Described('Records to insert.')
export class RecordsToInsert {
  @Field(f.list(f.record(SIZES.record), { min: 1, max: MAX_RECORDS }), { description: 'All are written, or none.' })
  records!: JsonObject[];
  @Field(f.object(() => OnConflict), {
    optional: true,
    description: 'Handling of records whose unique values already exist. Default: reject the request.',
  })
  onConflict?: OnConflict;
}

export class InsertRecords extends RecordsToInsert {
  @Field(f.id()) datasetId!: string;
}

@Described('Outcome of an insert.')
export class Inserted {
  @Field(f.int({ min: 0 }), { description: 'Number of inserted records.' }) inserted!: number;
  @Field(f.int({ min: 0 }), { description: 'Number of updated records.' }) updated!: number;
  @Field(f.int({ min: 0 }), { description: 'Number of skipped records.' }) skipped!: number;
  @Field(f.list(f.id()), { description: 'In the order of the records; a skipped one has the id of the record it met.' })
  ids!: string[];
}

@Described('Selects records, and sets fields of them.')
export class RecordsToUpdate {
  @Field(f.record(SIZES.filter), { optional: true, description: FILTER }) filter?: JsonObject;
  @Field(ids, { optional: true, description: 'Ids of the records.' }) ids?: string[];
  @Field(f.record(SIZES.record), { description: 'New values; null clears an optional field.' }) set!: JsonObject;
  @Field(f.bool(), { optional: true, description: 'Says that every record is meant.' }) all?: boolean;
}

export class UpdateRecords extends RecordsToUpdate {
  @Field(f.id()) datasetId!: string;
}

@Described('Number of updated records.')
export class Updated {
  @Field(f.int({ min: 0 }), { description: 'Number of updated records.' }) updated!: number;
}

@Described('Selects the records to delete.')
export class RecordsToDelete {
  @Field(f.record(SIZES.filter), { optional: true, description: FILTER }) filter?: JsonObject;
  @Field(ids, { optional: true, description: 'Ids of the records.' }) ids?: string[];
  @Field(f.bool(), { optional: true, description: 'Says that every record is meant.' }) all?: boolean;
}

export class DeleteRecords extends RecordsToDelete {
  @Field(f.id()) datasetId!: string;
}

@Described('Number of deleted records.')
export class DeletedRecords {
  @Field(f.int({ min: 0 }), { description: 'Number of deleted records.' }) deleted!: number;
}

@Described('A field to sort by.')
export class SortKey {
  @Field(f.text({ min: 1, max: 63 }), { description: 'Name of the field.' }) field!: string;
  @Field(f.oneOf(['asc', 'desc', 'ASC', 'DESC'] as const), { optional: true, description: 'Ascending unless given.' })
  direction?: 'asc' | 'desc' | 'ASC' | 'DESC';
}

@Described('Selects and sorts records.')
export class RecordsQuery {
  @Field(ids, { optional: true, description: 'Only these records.' }) ids?: string[];
  @Field(f.record(SIZES.filter), { optional: true, description: FILTER }) filter?: JsonObject;
  @Field(f.list(f.text({ min: 1, max: 63 }), { min: 1, max: 103 }), {
    optional: true,
    description: 'Only these fields, and the id.',
  })
  fields?: string[];
  @Field(
    f.list(
      f.object(() => SortKey),
      { max: 5 },
    ),
    { optional: true, description: 'Newest first unless given.' },
  )
  sort?: SortKey[];
  @Field(f.int({ min: 1, max: 1000 }), { optional: true, description: 'Records of one page (default 50).' })
  limit?: number;
  @Field(f.text({ min: 1, max: MAX_CURSOR }), { optional: true, description: 'The `nextCursor` of the page before.' })
  cursor?: string;
  @Field(f.int({ min: 0, max: 1_000_000 }), { optional: true, description: 'Number of records to skip.' })
  offset?: number;
}

export class QueryRecords extends RecordsQuery {
  @Field(f.id()) datasetId!: string;
}

export class RecordPage {
  @Field(f.list(f.record(PLATFORM_WRITTEN))) items!: JsonObject[];
  @Field(f.text(), { nullable: true }) nextCursor!: string | null;
}

@Described('Selects the records to count.')
export class RecordsCount {
  @Field(f.record(SIZES.filter), { optional: true, description: FILTER }) filter?: JsonObject;
}

export class CountRecords extends RecordsCount {
  @Field(f.id()) datasetId!: string;
}

@Described('A count of records.')
export class Counted {
  @Field(f.int({ min: 0 }), { description: 'Number of matching records.' }) count!: number;
}
