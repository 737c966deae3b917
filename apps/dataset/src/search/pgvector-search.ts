import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type SearchHit } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { isEverything, upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { DatasetReader } from '../db/dataset-reader';
import { exactReads, nearestReads, type NearestQuery } from '../db/sql/pgvector-search-sql';
import { isTableLost, vectorTableOf, PgvectorTablesRepository, wireVector } from '../db/pgvector-tables.repository';
import type { Column } from '../domain/table-layout';
import type { Extension } from '../domain/pgvector-detection';
import { PgvectorTableSync } from '../vectors/pgvector-table-sync';
import { type VectorSearch, MAX_SCORED, SPARE } from './vector-search-request';

/** A table that is behind by more than this is still being filled; the search goes elsewhere. */
const MAX_LATE = 250;

/** The nearest records by pgvector, in the statement that reads them. */
@Injectable()
export class PgvectorSearch {
  private readonly made = new LRUCache<string, true>(upToEntries(5000));

  constructor(
    private readonly database: Database,
    private readonly reader: DatasetReader,
    private readonly repository: PgvectorTablesRepository,
    private readonly tables: PgvectorTableSync,
  ) {}

  /** Null where pgvector cannot answer: it is not there, or does not have these vectors yet. */
  async nearest(ctx: Ctx, request: VectorSearch, column: Column, query: Float32Array): Promise<SearchHit[] | null> {
    const { extension } = this.tables;
    if (extension === null) return null;
    try {
      if (!(await this.isCurrent(ctx, request, column, query.length))) return null;
      return await this.search(ctx, request, column, query, extension);
    } catch (error) {
      if (!isTableLost(error)) throw error;
      this.made.clear();
      this.tables.mistrust(error);
      return null;
    }
  }

  /** A search finds every earlier vector, as the in-memory index does: a small backlog is synchronized first. */
  private async isCurrent(ctx: Ctx, { layout }: VectorSearch, column: Column, dimensions: number): Promise<boolean> {
    const spaceId = requireSpace(ctx);
    const { datasetId } = layout;
    if (!(await this.isMade(ctx, datasetId, column.number))) return false;
    const standing = this.repository.standing(spaceId, datasetId, column.number, MAX_LATE);
    const [rows] = await this.database.read(ctx, [standing]);
    const table = rows?.[0] as { filled: boolean; dimensions: number; late: number } | undefined;
    if (table?.filled !== true || table.dimensions !== dimensions || table.late >= MAX_LATE) return false;
    return table.late === 0 || this.tables.catchUp(spaceId, datasetId);
  }

  /** Asked once: a table that was made may be emptied and made again, but goes only with its dataset. */
  private async isMade(ctx: Ctx, datasetId: string, field: number): Promise<boolean> {
    const name = vectorTableOf(datasetId, field);
    if (this.made.has(name)) return true;
    const isMade = await this.database.transaction(ctx, (tx) =>
      this.repository.isMade(tx, requireSpace(ctx), datasetId, field),
    );
    if (isMade) this.made.set(name, true);
    return isMade;
  }

  private async search(
    ctx: Ctx,
    request: VectorSearch,
    column: Column,
    query: Float32Array,
    { home }: Extension,
  ): Promise<SearchHit[]> {
    const { datasetId } = request.layout;
    const nearest: NearestQuery = {
      table: vectorTableOf(datasetId, column.number),
      home,
      query: wireVector(Buffer.from(query.buffer, query.byteOffset, query.byteLength)),
      ids: null,
      filter: request.filter,
      fields: request.fields,
      limit: request.topK + SPARE,
    };
    const found = await this.reader.read(ctx, datasetId, (layout, spaceId) => nearestReads(layout, spaceId, nearest));
    const isShort = found.length < request.topK && !isEverything(request.filter);
    const all = isShort
      ? await this.reader.read(ctx, datasetId, (layout, spaceId) => exactReads(layout, spaceId, nearest, MAX_SCORED))
      : found;
    return all.filter((hit) => hit.score >= request.minScore).slice(0, request.topK);
  }
}
