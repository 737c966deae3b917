import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';

export const WRITE_OPERATIONS = ['insert', 'update', 'delete'] as const;
export type WriteOperation = (typeof WRITE_OPERATIONS)[number];

/**
 * Subscribes to the writes of a dataset. One subscription per watcher; setting it replaces it, an empty list of
 * operations removes it.
 */
export class SetWatch {
  @Field(f.id()) datasetId!: string;
  @Field(f.id(), { description: 'Who watches: the registered event, for instance.' }) watcherId!: string;
  @Field(f.list(f.oneOf(WRITE_OPERATIONS), { max: 3 })) operations!: WriteOperation[];
}

export class WrittenRow {
  @Field(f.id()) id!: string;
  @Field(f.record(PLATFORM_WRITTEN), { nullable: true, description: 'The row as it was; null for an insert.' })
  before!: JsonObject | null;
  @Field(f.record(PLATFORM_WRITTEN), { nullable: true, description: 'The row as it is; null for a delete.' })
  after!: JsonObject | null;
  @Field(f.bool(), { optional: true, description: 'The row is too large to be carried; read it by its id.' })
  tooLarge?: boolean;
}

/** Rows of one write. A large write is split into several of these, in order. */
export class RecordsWritten {
  @Field(f.id()) datasetId!: string;
  @Field(f.int({ min: 1 }), { description: 'Counts the announcements of this dataset without a gap.' })
  version!: number;
  @Field(f.oneOf(WRITE_OPERATIONS)) operation!: WriteOperation;
  @Field(
    f.list(
      f.object(() => WrittenRow),
      { min: 1 },
    ),
  )
  rows!: WrittenRow[];
}
