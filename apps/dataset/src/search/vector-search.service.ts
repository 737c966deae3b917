import { Injectable } from '@nestjs/common';
import { type Ctx, type Items, requireSpace, type SearchHit, type SearchRecords } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { invalid, parseFilter, upToBytes } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { LayoutCache } from '../db/layout-cache';
import { VectorsRepository } from '../db/vectors.repository';
import { limitPageBytes } from '../domain/limit-page-bytes';
import { readFields } from '../domain/selected-fields';
import { FinishedImportCleanup } from '../imports/finished-import-cleanup';
import { Embedder } from '../vectors/embedder';
import { floatsOf } from '../vectors/bytes-to-floats';
import { MemoryVectorSearch } from './memory-vector-search';
import type { VectorSearch } from './vector-search-request';
import { PgvectorSearch } from './pgvector-search';

const DEFAULT_TOP = 10;
/** A search waits for texts that were just written. */
const EMBED_WAIT_MS = 8_000;
/** Of the vectors of queries, by their text. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** With more texts waiting than this, a search answers from those that are ready. */
const LARGE_BACKLOG = 2000;

@Injectable()
export class VectorSearchService {
  private readonly queries = new LRUCache<string, Float32Array>({
    ...upToBytes<Float32Array>(KEPT_BYTES, ({ byteLength }) => byteLength),
    ttl: 600_000,
  });

  constructor(
    private readonly database: Database,
    private readonly layoutCache: LayoutCache,
    private readonly vectors: VectorsRepository,
    private readonly tables: PgvectorSearch,
    private readonly memory: MemoryVectorSearch,
    private readonly embedder: Embedder,
    private readonly cleanup: FinishedImportCleanup,
  ) {}

  async search(ctx: Ctx, request: SearchRecords): Promise<Items<SearchHit>> {
    const requested = await this.read(ctx, request);
    const [query] = await Promise.all([this.embedQuery(ctx, request.query), this.waitForTexts(ctx, request.datasetId)]);
    const perField = await Promise.all(
      requested.columns.map(
        async (column) =>
          (await this.tables.nearest(ctx, requested, column, query)) ??
          this.memory.nearest(ctx, requested, column, query),
      ),
    );
    const best = bestOf(perField.flat(), requested.topK);
    return { items: best.slice(0, limitPageBytes(best.map((hit) => hit.record)).length) };
  }

  private async read(ctx: Ctx, request: SearchRecords): Promise<VectorSearch> {
    const spaceId = requireSpace(ctx);
    const layout = await this.database.transaction(ctx, (tx) => this.layoutCache.get(tx, spaceId, request.datasetId));
    if (layout.vector.length === 0)
      throw invalid('query', 'this dataset has no field with "vector": true to search in');
    const fields = readFields(layout, request.fields);
    const named = layout.vector.filter((column) => fields?.has(column.name) === true);
    return {
      layout,
      columns: named.length > 0 ? named : layout.vector,
      filter: parseFilter(request.filter, layout.types),
      fields,
      topK: request.topK ?? DEFAULT_TOP,
      minScore: request.minScore ?? -Infinity,
    };
  }

  private async embedQuery(ctx: Ctx, text: string): Promise<Float32Array> {
    const key = `${requireSpace(ctx)}/${text}`;
    const existing = this.queries.get(key);
    if (existing !== undefined) return existing;
    const [bytes] = await this.embedder.embed(ctx, [text]);
    const vector = floatsOf(bytes ?? Buffer.alloc(0));
    this.queries.set(key, vector);
    return vector;
  }

  /** A search finds every earlier record while the embedder keeps up. */
  private async waitForTexts(ctx: Ctx, datasetId: string): Promise<void> {
    const until = Date.now() + EMBED_WAIT_MS;
    for (let remaining = until - Date.now(); remaining > 0; remaining = until - Date.now()) {
      const [rows] = await this.database.read(ctx, [this.vectors.pending(requireSpace(ctx), datasetId, LARGE_BACKLOG)]);
      const pending = (rows?.[0]?.['n'] ?? 0) as number;
      if (pending === 0 || pending >= LARGE_BACKLOG) return;
      const round = this.embedder.nextRound(Math.min(remaining, 250));
      this.cleanup.wake();
      this.embedder.wake();
      await round;
    }
  }
}

/** A record that was found by several fields counts with its best. */
function bestOf(hits: readonly SearchHit[], topK: number): SearchHit[] {
  const best = new Map<unknown, SearchHit>();
  for (const hit of hits) {
    const existing = best.get(hit.record['id']);
    if (existing === undefined || existing.score < hit.score) best.set(hit.record['id'], hit);
  }
  return [...best.values()].sort((left, right) => right.score - left.score).slice(0, topK);
}
