import type { Deleted } from '../api/schemas';
import type { FileBody, Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type {
  DataRecord,
  Dataset,
  DatasetChanges,
  Embeddings,
  Filter,
  ImportJob,
  ImportResult,
  Inserted,
  NewDataset,
  OnConflict,
  RecordChoice,
  RecordQuery,
  SearchQuery,
  TextSearch,
} from '../records/dataset';
import { everyRow, getPage, type Page, type PageQuery, readPage } from './paged-lists';

export interface Hit {
  record: DataRecord;
  score: number;
}

export interface TextHit {
  record: DataRecord;
  rank: number;
  highlight?: Record<string, string>;
}

/** A file's lines: NDJSON as an export gives them, or CSV with a head. */
export interface ImportFile {
  content: FileBody;
  format: 'ndjson' | 'csv';
}

const MEDIA_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export class Datasets {
  constructor(private readonly http: Http) {}

  list(query: PageQuery & { q?: string } = {}): Promise<Page<Dataset>> {
    return getPage(this.http, '/datasets', query);
  }

  all(query: { q?: string; limit?: number } = {}): AsyncGenerator<Dataset> {
    return everyRow((cursor) => this.list({ ...query, cursor }));
  }

  get(datasetId: string): Promise<Dataset> {
    return this.http.data({ method: 'GET', path: `/datasets/${datasetId}` });
  }

  create(dataset: NewDataset, options: RequestOptions = {}): Promise<Dataset> {
    return this.http.data({ method: 'POST', path: '/datasets', body: dataset, ...options });
  }

  /** The schema is the whole list of fields, with additions only. */
  change(datasetId: string, changes: DatasetChanges): Promise<Dataset> {
    return this.http.data({ method: 'PATCH', path: `/datasets/${datasetId}`, body: changes });
  }

  remove(datasetId: string): Promise<Deleted> {
    return this.http.data({ method: 'DELETE', path: `/datasets/${datasetId}` });
  }

  /** 1 to 1000 records, all or nothing. */
  insert(
    datasetId: string,
    records: Record<string, unknown>[],
    options: RequestOptions & { onConflict?: OnConflict } = {},
  ): Promise<Inserted> {
    const { onConflict, ...rest } = options;
    return this.http.data({ ...this.data(datasetId, 'insert', { records, onConflict }), ...rest });
  }

  update(datasetId: string, change: RecordChoice & { set: Record<string, unknown> }): Promise<{ updated: number }> {
    return this.http.data(this.data(datasetId, 'update', change));
  }

  removeRecords(datasetId: string, which: RecordChoice): Promise<{ deleted: number }> {
    return this.http.data(this.data(datasetId, 'delete', which));
  }

  query(datasetId: string, query: RecordQuery = {}): Promise<Page<DataRecord>> {
    return readPage(this.http, this.data(datasetId, 'query', query));
  }

  records(datasetId: string, query: Omit<RecordQuery, 'cursor' | 'offset'> = {}): AsyncGenerator<DataRecord> {
    return everyRow((cursor) => this.query(datasetId, { ...query, cursor }));
  }

  async count(datasetId: string, filter?: Filter): Promise<number> {
    return (await this.http.data<{ count: number }>(this.data(datasetId, 'count', { filter }))).count;
  }

  /** By meaning. */
  search(datasetId: string, query: SearchQuery): Promise<Hit[]> {
    return this.http.data(this.data(datasetId, 'search', query));
  }

  /** By meaning and by words at once. */
  hybridSearch(datasetId: string, query: SearchQuery): Promise<Hit[]> {
    return this.http.data(this.data(datasetId, 'hybrid-search', query));
  }

  /** By words: `"a phrase" -without or`. */
  fullTextSearch(datasetId: string, query: TextSearch): Promise<TextHit[]> {
    return this.http.data(this.data(datasetId, 'full-text-search', query));
  }

  /** The same, page by page to the last record that has the words. */
  fullTextPage(datasetId: string, query: TextSearch): Promise<Page<TextHit>> {
    return readPage(this.http, this.data(datasetId, 'full-text-search', query));
  }

  /** All records as lines of JSON, as they come. */
  export(datasetId: string, { signal }: { signal?: AbortSignal } = {}): Promise<ReadableStream<Uint8Array>> {
    return this.http.file({ method: 'GET', path: `/datasets/${datasetId}/export`, signal });
  }

  /** All records of a file or none. A large one goes on in the background: then the answer is its job. */
  import(datasetId: string, { content, format }: ImportFile): Promise<ImportResult | ImportJob> {
    const headers = { 'content-type': MEDIA_TYPES[format] };
    return this.http.data({ method: 'POST', path: `/datasets/${datasetId}/import`, file: content, headers });
  }

  imports(datasetId: string, query: PageQuery = {}): Promise<Page<ImportJob>> {
    return getPage(this.http, `/datasets/${datasetId}/imports`, query);
  }

  getImport(datasetId: string, importId: string): Promise<ImportJob> {
    return this.http.data({ method: 'GET', path: `/datasets/${datasetId}/imports/${importId}` });
  }

  cancelImport(datasetId: string, importId: string): Promise<ImportJob> {
    return this.http.data({ method: 'POST', path: `/datasets/${datasetId}/imports/${importId}/cancel`, body: {} });
  }

  /** Texts that vector search does not find yet: those that wait, and those that fail, with the reason. */
  embeddings(datasetId: string): Promise<Embeddings> {
    return this.http.data({ method: 'GET', path: `/datasets/${datasetId}/embeddings` });
  }

  retryEmbeddings(datasetId: string): Promise<{ retried: number }> {
    return this.http.data({ method: 'POST', path: `/datasets/${datasetId}/embeddings/retry`, body: {} });
  }

  private data(datasetId: string, operation: string, body: object) {
    return { method: 'POST' as const, path: `/datasets/${datasetId}/data/${operation}`, body };
  }
}
