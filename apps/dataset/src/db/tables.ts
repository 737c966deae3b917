import { column, defineTable } from '@switchyard/database';
import type { StoredSchema } from '../domain/table-layout';

const { bigint, counted, filled, flag, int, json, nullable, savedAt, tenantKey, text, time, uuid } = column;
const NOW = 'clock_timestamp()';

export const datasets = defineTable('datasets', {
  ...tenantKey,
  name: text(),
  description: nullable(text()),
  schema: json<StoredSchema>(),
  version: counted(filled(int(), 1)),
  /** Of its changes, the last that was told to those who watch it. */
  announced: filled(bigint(), 0),
  createdBy: nullable(uuid()),
  createdAt: filled(time(), NOW),
  updatedAt: savedAt(NOW),
  hasPieces: filled(flag(), 'false'),
});

/** Records have a table for each dataset, and their SQL is made for it; imports, vectors and counts go with them. */
export const tables = [datasets];
