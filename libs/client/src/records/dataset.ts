export interface DatasetField {
  name: string;
  type:
    | 'string'
    | 'text'
    | 'integer'
    | 'number'
    | 'decimal'
    | 'boolean'
    | 'date'
    | 'datetime'
    | 'uuid'
    | 'json'
    | 'string[]';
  required?: boolean;
  unique?: boolean;
  indexed?: boolean;
  fullText?: boolean;
  vector?: boolean;
  default?: unknown;
  enum?: unknown[];
}

export interface Dataset {
  id: string;
  name: string;
  description: string | null;
  schema: { fields: DatasetField[] };
  recordCount: number;
  version: number;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

export type NewDataset = Pick<Dataset, 'name' | 'schema'> & { description?: string };

export type DataRecord = Record<string, unknown> & { id: string };

/** `{field: value}`, `{field: [values]}`, `{field: {op: value}}`, joined by `and`, `or`, `not`. */
export type Filter = Record<string, unknown>;

export interface RecordQuery {
  ids?: string[];
  filter?: Filter;
  fields?: string[];
  sort?: { field: string; direction: 'asc' | 'desc' }[];
  limit?: number;
  cursor?: string;
  offset?: number;
}

export interface SearchQuery {
  query: string;
  topK?: number;
  filter?: Filter;
  minScore?: number;
  fields?: string[];
}
