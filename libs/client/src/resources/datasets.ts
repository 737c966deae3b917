import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type { DataRecord, Dataset, Filter, NewDataset, RecordQuery, SearchQuery } from '../records/dataset';
import { everyRow, getPage, type Page, type PageQuery, readPage } from './page';

export class Datasets {
  constructor(private readonly http: Http) {}

  list(query: PageQuery = {}): Promise<Page<Dataset>> {
    return getPage(this.http, '/datasets', query);
  }

  get(datasetId: string): Promise<Dataset> {
    return this.http.data({ method: 'GET', path: `/datasets/${datasetId}` });
  }

  create(dataset: NewDataset, options: RequestOptions = {}): Promise<Dataset> {
    return this.http.data({ method: 'POST', path: '/datasets', body: dataset, ...options });
  }

  remove(datasetId: string): Promise<{ id: string; deleted: boolean }> {
    return this.http.data({ method: 'DELETE', path: `/datasets/${datasetId}` });
  }

  /** 1 to 1000 records, all or nothing. */
  insert(
    datasetId: string,
    records: Record<string, unknown>[],
    options: RequestOptions & { onConflict?: { field: string; action: 'UPDATE' | 'SKIP' } } = {},
  ): Promise<{ inserted: number; updated: number; skipped: number; ids: string[] }> {
    const { onConflict, ...rest } = options;
    return this.http.data({ ...this.data(datasetId, 'insert', { records, onConflict }), ...rest });
  }

  update(
    datasetId: string,
    change: { filter?: Filter; ids?: string[]; all?: boolean; set: Record<string, unknown> },
  ): Promise<{ updated: number }> {
    return this.http.data(this.data(datasetId, 'update', change));
  }

  removeRecords(
    datasetId: string,
    which: { filter?: Filter; ids?: string[]; all?: boolean },
  ): Promise<{ deleted: number }> {
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
  search(datasetId: string, query: SearchQuery): Promise<{ record: DataRecord; score: number }[]> {
    return this.http.data(this.data(datasetId, 'search', query));
  }

  /** By words: `"a phrase" -without or`. */
  fullTextSearch(
    datasetId: string,
    query: {
      query: string;
      fields?: string[];
      filter?: Filter;
      limit?: number;
      cursor?: string;
      highlight?: boolean;
    },
  ): Promise<{ record: DataRecord; rank: number; highlight?: unknown }[]> {
    return this.http.data(this.data(datasetId, 'full-text-search', query));
  }

  private data(datasetId: string, operation: string, body: object) {
    return { method: 'POST' as const, path: `/datasets/${datasetId}/data/${operation}`, body };
  }
}
