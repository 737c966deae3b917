import type { Schemas } from '../api/schemas';

export type DatasetField = Schemas['DatasetField'];
export type Dataset = Schemas['DatasetView'];
export type NewDataset = Schemas['CreateDataset'];
export type DatasetChanges = Schemas['ChangeDataset'];
export type DataRecord = Record<string, unknown> & { id: string };

/** `{field: value}`, `{field: [values]}`, `{field: {op: value}}`, joined by `and`, `or`, `not`. */
export type Filter = Record<string, unknown>;

export type RecordQuery = Schemas['RecordsQuery'];
export type SearchQuery = Schemas['RecordSearch'];
export type TextSearch = Schemas['TextSearch'];
export type Inserted = Schemas['Inserted'];
export type OnConflict = Schemas['OnConflict'];
export type ImportResult = Schemas['Imported'];
export type ImportJob = Schemas['ImportJobView'];
export type Embeddings = Schemas['EmbeddingsView'];
export type EmbeddingFailure = Schemas['EmbeddingFailure'];

/** Which records: one of the three. */
export interface RecordChoice {
  filter?: Filter;
  ids?: string[];
  all?: boolean;
}
