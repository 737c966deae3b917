import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type SearchHit, type SearchHits, type SearchRecords } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { type Filter, invalid, isEverything, parseFilter } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { DatasetConfig } from '../dataset.config';
import { DatasetReader } from '../db/dataset-reader';
import { Layouts } from '../db/layouts';
import { RecordRepository } from '../db/record.repository';
import { matchingReads } from '../db/sql/record-reads';
import { VectorRepository } from '../db/vector.repository';
import { carried } from '../domain/carried';
import type { Column, Layout } from '../domain/layout';
import { readFields } from '../domain/read-fields';
import { Embedder } from '../vectors/embedder';
import type { Scored } from '../vectors/vector-index';
import { floatsOf, VectorIndexes } from '../vectors/vector-indexes';

const DEFAULT_TOP = 10;
/** With more texts waiting than this, a search answers from those that are ready. */
const LARGE_BACKLOG = 2000;
/** Matches of a filter that are scored one by one; past it the best of the whole dataset have to do. */
const MOST_SCORED = 500_000;

interface Asked {
  layout: Layout;
  columns: Column[];
  filter: Filter;
  fields: ReadonlySet<string> | null;
  topK: number;
  minScore: number;
}

@Injectable()
export class VectorSearchService {
  private readonly queries = new LRUCache<string, Float32Array>({ max: 500, ttl: 600_000 });

  constructor(
    private readonly config: DatasetConfig,
    private readonly database: Database,
    private readonly layouts: Layouts,
    private readonly records: RecordRepository,
    private readonly reader: DatasetReader,
    private readonly vectors: VectorRepository,
    private readonly indexes: VectorIndexes,
    private readonly embedder: Embedder,
  ) {}

  async search(ctx: Ctx, request: SearchRecords): Promise<SearchHits> {
    const asked = await this.read(ctx, request);
    const [query] = await Promise.all([this.embedQuery(ctx, request.query), this.waitForTexts(ctx, request.datasetId)]);
    await this.indexes.refresh(ctx, request.datasetId);
    const perField = await Promise.all(asked.columns.map((column) => this.searchField(ctx, asked, column, query)));
    const best = bestOf(perField.flat(), asked.topK);
    return { items: best.slice(0, carried(best.map((hit) => hit.record)).length) };
  }

  private async read(ctx: Ctx, request: SearchRecords): Promise<Asked> {
    const spaceId = requireSpace(ctx);
    const layout = await this.database.transaction(ctx, (tx) => this.layouts.get(tx, spaceId, request.datasetId));
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
    const known = this.queries.get(key);
    if (known !== undefined) return known;
    const [bytes] = await this.embedder.embed(ctx, [text]);
    const vector = floatsOf(bytes ?? Buffer.alloc(0));
    this.queries.set(key, vector);
    return vector;
  }

  /** What was written before the search is found by it, as long as the model keeps up. */
  private async waitForTexts(ctx: Ctx, datasetId: string): Promise<void> {
    const until = Date.now() + this.config.DATASET_EMBED_WAIT_MS;
    for (let left = until - Date.now(); left > 0; left = until - Date.now()) {
      const pending = await this.database.transaction(ctx, (tx) =>
        this.vectors.pending(tx, requireSpace(ctx), datasetId, LARGE_BACKLOG),
      );
      if (pending === 0 || pending >= LARGE_BACKLOG) return;
      const round = this.embedder.nextRound(Math.min(left, 250));
      this.embedder.wake();
      await round;
    }
  }

  /**
   * The nearest of all, looked at through the filter. Filtering keeps the order, so enough survivors are exactly the
   * nearest of those that fulfil it; with too few, all that fulfil it are scored.
   */
  private async searchField(ctx: Ctx, asked: Asked, column: Column, query: Float32Array): Promise<SearchHit[]> {
    const { layout, topK } = asked;
    const wide = isEverything(asked.filter) ? topK + 16 : Math.max(topK * 8, 128);
    const near = await this.indexes.search(ctx, layout.datasetId, column.number, query, wide);
    const found = await this.show(ctx, asked, near);
    const last = near.at(-1)?.score ?? -Infinity;
    if (found.length >= topK || near.length < wide || last < asked.minScore || isEverything(asked.filter)) return found;
    const ids = await this.database.transaction(ctx, (tx) =>
      this.records.idsOf(tx, layout, requireSpace(ctx), asked.filter, MOST_SCORED),
    );
    const scored = await this.indexes.searchAmong(layout.datasetId, column.number, query, ids, topK + 16);
    return this.show(ctx, asked, scored);
  }

  /** The records behind scored ids, best first: only those that are there, and fulfil the filter, right now. */
  private async show(ctx: Ctx, asked: Asked, scored: readonly Scored[]): Promise<SearchHit[]> {
    const good = scored.filter((hit) => hit.score >= asked.minScore);
    if (good.length === 0) return [];
    const ids = good.map((hit) => hit.id);
    const rows = await this.reader.read(ctx, asked.layout.datasetId, (layout, spaceId) =>
      matchingReads(layout, spaceId, { ids, filter: asked.filter }, asked.fields),
    );
    const records = new Map(rows.map((record) => [record['id'], record]));
    return good
      .flatMap((hit) => {
        const record = records.get(hit.id);
        return record === undefined ? [] : [{ record, score: Math.min(1, hit.score) }];
      })
      .slice(0, asked.topK);
  }
}

/** A record that was found by several fields counts with its best. */
function bestOf(hits: readonly SearchHit[], topK: number): SearchHit[] {
  const best = new Map<unknown, SearchHit>();
  for (const hit of hits) {
    const known = best.get(hit.record['id']);
    if (known === undefined || known.score < hit.score) best.set(hit.record['id'], hit);
  }
  return [...best.values()].sort((left, right) => right.score - left.score).slice(0, topK);
}
