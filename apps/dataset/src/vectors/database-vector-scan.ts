import { Database } from '@switchyard/database';
import { type VectorChange, VectorsRepository } from '../db/vectors.repository';
import { floatsOf } from './bytes-to-floats';
import type { IndexThreadClient } from './index-thread-client';
import { Best, type Scored } from './nearest-vectors';
import type { VectorSearcher } from './vector-searcher';

const PAGE = 500;

/** Does a piece of work when it is the turn of its Space. */
export type InTurn = <T>(spaceId: string, work: () => Promise<T>) => Promise<T>;

/**
 * Compares with every vector of a field, page by page from the database, and keeps none: for datasets that do not fit
 * into memory. Exact, and as slow as there are vectors.
 */
export class DatabaseVectorScan implements VectorSearcher {
  constructor(
    private readonly database: Database,
    private readonly vectors: VectorsRepository,
    private readonly host: IndexThreadClient,
    private readonly inTurn: InTurn,
    private readonly dataset: { spaceId: string; datasetId: string },
    private readonly signal: AbortSignal,
  ) {}

  async nearest(field: number, query: Float32Array, count: number): Promise<Scored[]> {
    const best = new Best(count);
    let after: string | null = null;
    for (;;) {
      const from: string | null = after;
      const rows = await this.page(query, count, best, (spaceId, datasetId) =>
        this.database.inSpace(spaceId, (tx) => this.vectors.ofField(tx, spaceId, datasetId, field, from, PAGE)),
      );
      if (rows.length < PAGE) return best.sorted();
      after = rows.at(-1)?.recordId ?? null;
    }
  }

  async among(field: number, query: Float32Array, ids: string[], count: number): Promise<Scored[]> {
    const best = new Best(count);
    for (let start = 0; start < ids.length; start += PAGE) {
      const some = ids.slice(start, start + PAGE);
      await this.page(query, count, best, (spaceId, datasetId) =>
        this.database.inSpace(spaceId, (tx) => this.vectors.ofRecords(tx, spaceId, datasetId, field, some)),
      );
    }
    return best.sorted();
  }

  release(): void {
    // Nothing is held between two pages.
  }

  /** One page in its Space's turn. */
  private page(
    query: Float32Array,
    count: number,
    best: Best,
    read: (spaceId: string, datasetId: string) => Promise<VectorChange[]>,
  ): Promise<VectorChange[]> {
    const { spaceId, datasetId } = this.dataset;
    this.signal.throwIfAborted();
    return this.inTurn(spaceId, async () => {
      const rows = await read(spaceId, datasetId);
      const same = rows.filter((row) => row.vector?.byteLength === query.byteLength);
      const vectors = new Float32Array(same.length * query.length);
      same.forEach((row, i) => {
        if (row.vector !== null) vectors.set(floatsOf(row.vector), i * query.length);
      });
      const ids = same.map((row) => row.recordId);
      const { hits } = await this.host.ask({ kind: 'compare', spaceId, index: datasetId, query, count, ids, vectors });
      best.offerAll(hits);
      return rows;
    });
  }
}
