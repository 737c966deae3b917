import { Injectable } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { Workers } from '@switchyard/service';
import { type EndedImport, FinishedImportCleanupRepository } from '../db/finished-import-cleanup.repository';
import { LayoutCache } from '../db/layout-cache';
import { RecordsRepository } from '../db/records.repository';
import { Embedder } from '../vectors/embedder';

const POLL_MS = 30_000;
const PARTS_AT_ONCE = 4;
const FORGOTTEN_AT_ONCE = 100;

/** Lets go of the parts of imports that have ended, in pieces, and queues the texts of those that succeeded. */
@Injectable()
export class FinishedImportCleanup {
  readonly wake: () => void;
  /** For an upload that was abandoned: its parts go at once. */
  readonly wakeCleanup: () => void;

  constructor(
    private readonly database: Database,
    private readonly cleanup: FinishedImportCleanupRepository,
    private readonly layoutCache: LayoutCache,
    private readonly records: RecordsRepository,
    private readonly embedder: Embedder,
    workers: Workers,
  ) {
    this.wake = workers.poll('let go of the parts of imports', POLL_MS, () => this.round());
    this.wakeCleanup = workers.poll('remove abandoned imports', 600_000, () =>
      this.database
        .system('forget old imports', (tx) => this.cleanup.forgetOld(tx, FORGOTTEN_AT_ONCE))
        .then((removed) => removed > 0),
    );
  }

  private async round(): Promise<boolean> {
    const ended = await this.database.system('find parts of ended imports', (tx) => this.cleanup.next(tx));
    if (ended === null) return false;
    const isEmbedding = await this.database.inSpace(ended.spaceId, async (tx) => {
      if ((await this.cleanup.hold(tx, ended)) === null) return false;
      const { parts, ids } = await this.cleanup.takeParts(tx, ended, PARTS_AT_ONCE);
      if (parts < PARTS_AT_ONCE) await this.cleanup.done(tx, ended);
      const layout = ended.hasSucceeded ? await this.layoutOf(tx, ended) : null;
      if (layout === null || layout.vector.length === 0) return false;
      await this.records.embedLater(tx, layout, { spaceId: ended.spaceId, userId: ended.createdBy }, ids);
      return true;
    });
    if (isEmbedding) this.embedder.wake();
    return true;
  }

  /** Null where the dataset was deleted since. */
  private layoutOf(tx: Parameters<LayoutCache['get']>[0], ended: EndedImport) {
    return this.layoutCache.get(tx, ended.spaceId, ended.datasetId).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    });
  }
}
