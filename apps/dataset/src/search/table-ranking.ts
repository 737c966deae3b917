import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type SearchHit } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { isEverything } from '@switchyard/kernel';
import { DatasetReader } from '../db/dataset-reader';
import { exactReads, nearestReads, type NearestQuery } from '../db/sql/nearest-sql';
import { isTableLost, vectorTableOf, VectorTableRepository, wireVector } from '../db/vector-table.repository';
import type { Column } from '../domain/layout';
import type { Extension } from '../domain/usable-extension';
import { VectorTables } from '../vectors/vector-tables';
import { type Asked, MOST_SCORED, SPARE } from './ranking';

/** A table that is behind by more than this is still being filled; the search goes elsewhere. */
const MOST_LATE = 250;

/** The nearest records by pgvector, in the statement that reads them. */
@Injectable()
export class TableRanking {
  constructor(
    private readonly database: Database,
    private readonly reader: DatasetReader,
    private readonly repository: VectorTableRepository,
    private readonly tables: VectorTables,
  ) {}

  /** Null where pgvector cannot answer: it is not there, or does not have these vectors yet. */
  async nearest(ctx: Ctx, asked: Asked, column: Column, query: Float32Array): Promise<SearchHit[] | null> {
    const { extension } = this.tables;
    if (extension === null) return null;
    try {
      if (!(await this.isCurrent(ctx, asked, column, query.length))) return null;
      return await this.search(ctx, asked, column, query, extension);
    } catch (error) {
      if (!isTableLost(error)) throw error;
      this.tables.mistrust(error);
      return null;
    }
  }

  /** What was embedded before the search is found by it, as in memory: a little that is late is taken in first. */
  private async isCurrent(ctx: Ctx, asked: Asked, column: Column, dimensions: number): Promise<boolean> {
    const spaceId = requireSpace(ctx);
    const { datasetId } = asked.layout;
    const late = await this.database.transaction(ctx, async (tx) => {
      const table = (await this.repository.of(tx, spaceId, datasetId)).find(({ field }) => field === column.number);
      if (table?.filled !== true || table.dimensions !== dimensions) return null;
      return this.repository.countLate(tx, table, MOST_LATE);
    });
    if (late === null || late >= MOST_LATE) return false;
    return late === 0 || this.tables.catchUp(spaceId, datasetId);
  }

  private async search(
    ctx: Ctx,
    asked: Asked,
    column: Column,
    query: Float32Array,
    { home }: Extension,
  ): Promise<SearchHit[]> {
    const { datasetId } = asked.layout;
    const nearest: NearestQuery = {
      table: vectorTableOf(datasetId, column.number),
      home,
      query: wireVector(Buffer.from(query.buffer, query.byteOffset, query.byteLength)),
      ids: null,
      filter: asked.filter,
      fields: asked.fields,
      limit: asked.topK + SPARE,
    };
    const found = await this.reader.read(ctx, datasetId, (layout, spaceId) => nearestReads(layout, spaceId, nearest));
    const isShort = found.length < asked.topK && !isEverything(asked.filter);
    const all = isShort
      ? await this.reader.read(ctx, datasetId, (layout, spaceId) => exactReads(layout, spaceId, nearest, MOST_SCORED))
      : found;
    return all.filter((hit) => hit.score >= asked.minScore).slice(0, asked.topK);
  }
}
