import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';
import { AppError, upToEntries } from '@switchyard/kernel';
import { Metrics, PayerCache } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import type { Counter } from 'prom-client';
import { DatasetConfig } from '../dataset.config';
import { type ChangedVector, type VectorChange, VectorsRepository } from '../db/vectors.repository';
import { IndexThreadClient } from './index-thread-client';
import { LoadedDatasetVectors } from './loaded-dataset-vectors';
import { VectorMemory } from './vector-cache-eviction';
import { type InTurn, DatabaseVectorScan } from './database-vector-scan';
import type { VectorSearcher } from './vector-searcher';

const PAGE = 500;
const MIB = 1024 * 1024;
/** Pages that are read at a time, for all searches of the process. */
const PAGES_AT_ONCE = 3;
const PAGE_WAIT_MS = 30_000;
/** A search that has to wait longer for its vectors to be read is told to come back. */
const LOAD_WAIT_MS = 8_000;
/** How long a dataset waits for the last searches of another one, whose memory it is to get. */
const RETIRED_WAIT_MS = 5000;
/** A dataset that did not fit is not read again before this. */
const TOO_LARGE_MS = 60_000;

/**
 * The vector indexes of this process, each brought up to date before it answers. A dataset is loaded at its first
 * search, once for all searches, page by page in turn with other Spaces. Memory is bounded: the least recently searched
 * dataset is evicted, never one in use. Datasets that do not fit are scanned.
 */
@Injectable()
export class VectorIndexLoader implements OnApplicationShutdown {
  private readonly memory: VectorMemory<LoadedDatasetVectors>;
  /** Those that wait for memory: told when some is given back, or has to be. */
  private readonly waiting = new Set<() => void>();
  private readonly tooLarge = new LRUCache<string, true>({ ...upToEntries(5000), ttl: TOO_LARGE_MS });
  private readonly turns = new FairSemaphore({
    slots: PAGES_AT_ONCE,
    share: 1,
    waitMs: PAGE_WAIT_MS,
    waiting: { all: 2000, each: 500 },
    refusal: tooManyWaitFor('the vectors of a dataset'),
  });
  private readonly inTurn: InTurn = (spaceId, work) => this.turns.run(this.payerCache.of(spaceId), work);
  private readonly scans: Counter;
  private readonly evictions: Counter;

  constructor(
    private readonly database: Database,
    config: DatasetConfig,
    private readonly vectors: VectorsRepository,
    private readonly host: IndexThreadClient,
    private readonly payerCache: PayerCache,
    metrics: Metrics,
  ) {
    const total = config.DATASET_VECTOR_MEMORY_MB * MIB;
    this.memory = new VectorMemory({ total, share: (total * config.DATASET_VECTOR_SPACE_SHARE_PERCENT) / 100 });
    metrics.bounded(
      {
        name: 'switchyard_dataset_vector_memory_bytes',
        help: 'Memory of vectors that this process stores for search.',
        measures: ['used', 'limit', 'largest'],
      },
      (set) => {
        const spaces = new Set(this.memory.all().map((stored) => stored.spaceId));
        set({
          used: this.memory.used,
          limit: total,
          largest: Math.max(0, ...[...spaces].map((id) => this.memory.usedBy(id))),
        });
      },
    );
    this.scans = metrics.counter(
      'switchyard_dataset_vector_scans_total',
      'Searches of datasets whose vectors do not fit into memory: each compares with all vectors in the database.',
    );
    this.evictions = metrics.counter(
      'switchyard_dataset_vector_evictions_total',
      'Datasets whose vectors were evicted from memory to make room for those of another dataset.',
    );
  }

  /** Holds what was committed before this call. */
  async open(ctx: Ctx, datasetId: string): Promise<VectorSearcher> {
    const spaceId = requireSpace(ctx);
    const key = `${spaceId}/${datasetId}`;
    const stored = this.memory.find(key) ?? this.createVectors(spaceId, datasetId);
    if (stored.isRetired || this.tooLarge.has(key)) return this.scan(ctx, datasetId);
    this.memory.use(key, stored);
    stored.hold();
    try {
      if (!stored.isCurrentGeneration) await this.loaded(stored);
      if (stored.isLoaded) await this.follow(stored);
    } catch (error) {
      stored.release();
      throw error;
    }
    if (stored.isLoaded) return stored;
    stored.release();
    return this.scan(ctx, datasetId);
  }

  private createVectors(spaceId: string, datasetId: string): LoadedDatasetVectors {
    return new LoadedDatasetVectors(spaceId, datasetId, this.host, (retired) => {
      this.memory.remove(retired);
      void retired.drop().catch(() => undefined);
      this.tellWaiting();
    });
  }

  private scan(ctx: Ctx, datasetId: string): DatabaseVectorScan {
    this.scans.inc();
    const dataset = { spaceId: requireSpace(ctx), datasetId };
    return new DatabaseVectorScan(this.database, this.vectors, this.host, this.inTurn, dataset, ctx.signal);
  }

  /** Waits for the reading that is under way, or begins one: it goes on when this search has left. */
  private async loaded(stored: LoadedDatasetVectors): Promise<void> {
    stored.loading ??= this.load(stored).finally(() => (stored.loading = null));
    const { loading } = stored;
    loading.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const message = `The vectors of this dataset are being read into memory, ${stored.size} so far. Try again in a few seconds.`;
        reject(new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 5 }));
      }, LOAD_WAIT_MS);
    });
    await Promise.race([loading, late]).finally(() => {
      clearTimeout(timer);
    });
  }

  private async load(stored: LoadedDatasetVectors): Promise<void> {
    const { spaceId, datasetId } = stored;
    stored.hold();
    try {
      // Taken before the first page: rows that change while the pages are read are read again afterwards.
      const horizon = await this.database.inSpace(spaceId, (tx) => this.vectors.horizon(tx));
      stored.begin(horizon);
      let last: VectorChange | null = null;
      for (;;) {
        const after: VectorChange | null = last;
        const page: VectorChange[] = await this.inTurn(spaceId, async () => {
          const rows = await this.database.inSpace(spaceId, (tx) =>
            this.vectors.readyAfter(tx, spaceId, datasetId, after, PAGE),
          );
          await stored.take(rows);
          return rows;
        });
        if (!(await this.hasRoom(stored))) return;
        last = page.at(-1) ?? null;
        if (page.length < PAGE) break;
      }
      stored.isLoaded = !stored.isRetired;
    } finally {
      stored.release();
    }
  }

  /** Takes in what has changed, one search after the other. */
  private async follow(stored: LoadedDatasetVectors): Promise<void> {
    const turn = stored.following.then(() => this.takeChanges(stored));
    stored.following = turn.catch(() => undefined);
    await turn;
  }

  private async takeChanges(stored: LoadedDatasetVectors): Promise<void> {
    const { spaceId, datasetId } = stored;
    let after: ChangedVector | null = null;
    let horizon: string | null = null;
    for (;;) {
      const from: ChangedVector | null = after;
      const page: { horizon: string; rows: ChangedVector[] } = await this.database.inSpace(spaceId, async (tx) => ({
        horizon: await this.vectors.horizon(tx),
        rows: await this.vectors.changedSince(tx, spaceId, datasetId, stored.horizon, from, PAGE),
      }));
      horizon ??= page.horizon;
      await stored.take(page.rows);
      if (!(await this.hasRoom(stored))) return;
      after = page.rows.at(-1) ?? null;
      if (page.rows.length < PAGE) break;
    }
    stored.horizon = horizon;
  }

  /** Others make room for it; where they cannot, it goes itself, and its dataset is scanned for a while. */
  private async hasRoom(stored: LoadedDatasetVectors): Promise<boolean> {
    const until = Date.now() + RETIRED_WAIT_MS;
    while (this.memory.isOver && !stored.isRetired) {
      // Memory being released is enough for the changes of a loaded dataset: its searches do not wait.
      if (stored.isLoaded && !this.memory.isOverWithoutRetired) return true;
      const going = this.memory.nextToGo(stored);
      if (going === null) {
        if (await this.isGivenBack(stored, until)) continue;
        this.tooLarge.set(`${stored.spaceId}/${stored.datasetId}`, true);
        stored.retire();
        return false;
      }
      this.memory.remove(going);
      this.evictions.inc();
      await going.drop();
    }
    return !stored.isRetired;
  }

  /** Waits until others give back some memory; false where they have to give back none, or do not in time. */
  private async isGivenBack(stored: LoadedDatasetVectors, until: number): Promise<boolean> {
    while (this.memory.isOverWithoutRetired) {
      const retiring = this.memory.nextToRetire(stored);
      if (retiring === null) return false;
      retiring.retire();
      this.evictions.inc();
      this.tellWaiting();
    }
    const leftMs = until - Date.now();
    if (leftMs <= 0) return false;
    await new Promise<void>((resolve) => {
      const send = (): void => {
        clearTimeout(timer);
        this.waiting.delete(send);
        resolve();
      };
      const timer = setTimeout(send, leftMs);
      this.waiting.add(send);
    });
    return true;
  }

  private tellWaiting(): void {
    for (const send of this.waiting) send();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.host.stop();
  }
}
