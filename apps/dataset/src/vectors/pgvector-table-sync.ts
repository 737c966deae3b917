import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@switchyard/database';
import { Logger, Workers } from '@switchyard/service';
import { DatasetConfig } from '../dataset.config';
import { LayoutCache } from '../db/layout-cache';
import { VectorsRepository } from '../db/vectors.repository';
import { type VectorTable, isTableLost, PgvectorTablesRepository } from '../db/pgvector-tables.repository';
import { type Extension, usableExtension } from '../domain/pgvector-detection';

const LOOK_MS = 15_000;
/** An extension that was not there is looked for again after this. */
const DETECT_MS = 300_000;
const PAGE = 250;
const PAGES_AT_ONCE = 40;
const DATASETS_AT_ONCE = 20;

/** Vectors in pgvector, where the database has it: finds the extension, and keeps its tables at what was embedded. */
@Injectable()
export class PgvectorTableSync {
  /** Null where vectors are searched in memory. */
  extension: Extension | null = null;
  private readonly wake: () => void;
  private detectAt = 0;
  private known: string | null = null;

  constructor(
    private readonly database: Database,
    private readonly config: DatasetConfig,
    private readonly layoutCache: LayoutCache,
    private readonly vectors: VectorsRepository,
    private readonly tables: PgvectorTablesRepository,
    private readonly logger: Logger,
    workers: Workers,
  ) {
    this.wake = workers.poll('bring vector tables up to date', LOOK_MS, () => this.round());
  }

  /** Does not wait for the next look at what the database has. */
  lookAgain(): void {
    this.detectAt = 0;
    this.wake();
  }

  /** Copies new embeddings and deletions; returns whether that was all. */
  async catchUp(spaceId: string, datasetId: string, pages = PAGES_AT_ONCE): Promise<boolean> {
    const { extension } = this;
    if (extension === null) return true;
    const layout = await this.database.inSpace(spaceId, (tx) => this.layoutCache.get(tx, spaceId, datasetId));
    let remaining = pages;
    for (const column of layout.vector) {
      let isDone = false;
      while (!isDone && remaining > 0) {
        isDone = await this.page(extension, spaceId, datasetId, column.number);
        remaining -= 1;
      }
      if (!isDone) return false;
    }
    return true;
  }

  /** The extension is gone, or a table does not fit it any more: search in memory, and look again. */
  mistrust(error: unknown): void {
    this.extension = null;
    this.detectAt = Date.now() + LOOK_MS;
    this.known = null;
    this.logger.warn({ err: error }, 'pgvector failed; searching vectors in memory until it answers');
  }

  private async round(): Promise<boolean> {
    await this.detect();
    if (this.extension === null) return false;
    const behind = await this.database.system('find vector tables that are behind', (tx) =>
      this.tables.behind(tx, DATASETS_AT_ONCE),
    );
    let isAll = true;
    for (const { spaceId, datasetId } of behind) isAll = (await this.catchUp(spaceId, datasetId)) && isAll;
    return !isAll;
  }

  private async detect(): Promise<void> {
    if (this.extension !== null || this.config.DATASET_VECTOR_INDEX === 'memory' || Date.now() < this.detectAt) return;
    this.detectAt = Date.now() + DETECT_MS;
    const { extension, reason, version } = await this.database.system('look for pgvector', async (tx) => {
      const found = await this.tables.detect(tx);
      const usable = usableExtension(found);
      if (usable.extension !== null) await this.tables.forgetLost(tx);
      return { ...usable, version: found?.version ?? null };
    });
    this.extension = extension;
    if (reason === this.known) return;
    this.known = reason;
    this.logger.info({ version }, reason);
  }

  private async page(extension: Extension, spaceId: string, datasetId: string, field: number): Promise<boolean> {
    try {
      return await this.database.inSpace(spaceId, async (tx) => {
        const newest = await this.tables.dimensions(tx, spaceId, datasetId, field);
        const leased = await this.tables.hold(tx, spaceId, datasetId, field);
        if (newest === null || leased?.dimensions === newest) return leased === null || (await this.fill(tx, leased));
        if (newest <= extension.mostDimensions) await this.tables.make(tx, spaceId, datasetId, field, newest);
        return newest > extension.mostDimensions;
      });
    } catch (error) {
      if (isTableLost(error)) this.mistrust(error);
      throw error;
    }
  }

  /** One page of what is late. The horizon is taken first: what commits after that is late again next time. */
  private async fill(tx: Tx, leased: VectorTable): Promise<boolean> {
    const { spaceId, datasetId, field } = leased;
    if (this.extension === null) return true;
    const horizon = await this.vectors.horizon(tx);
    const late = await this.tables.late(tx, leased, PAGE);
    const present = late.filter((row) => row.vector !== null);
    await this.tables.put(tx, this.extension, leased, present);
    const removed = late.filter((row) => row.vector === null).map((row) => row.recordId);
    await this.tables.remove(tx, leased, removed);
    const isAll = late.length < PAGE;
    await this.tables.advance(tx, spaceId, datasetId, field, isAll ? horizon : (late.at(-1)?.changedIn ?? '0'), isAll);
    return isAll;
  }
}
