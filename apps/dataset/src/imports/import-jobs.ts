import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { actAs, type ImportFailure, serviceCtx } from '@switchyard/contracts';
import { Database, type RetryOutcome, type Tx, isLockedByOthers } from '@switchyard/database';
import { type Polled } from '@switchyard/concurrency';
import { AppError, backoffMs, isTransient, sleep } from '@switchyard/kernel';
import {
  byPayer,
  LeaseHolder,
  LeaseLost,
  Logger,
  Metrics,
  PayerCache,
  PoisonedWork,
  ReachedLimitReports,
  SUSPENDED_REST_MS,
  SpacePolicyCache,
  Workers,
} from '@switchyard/service';
import { DatasetConfig } from '../dataset.config';
import { type ClaimedImport, ImportQueueRepository } from '../db/import-queue.repository';
import { IMPORT, UNDO } from '../db/sql/crash-suspects-sql';
import { retryOnDeadlock } from '../db/retry-on-deadlock';
import { type SpacePayer, spacesAtShare } from '../domain/payers-at-import-share';
import { pauseAfterMs } from '../domain/import-job';
import { CrashedImportsAndEmbeddings } from '../losses/crashed-imports-and-embeddings';
import { StorageQuota } from '../storage/storage-quota';
import { FinishedImportCleanup } from './finished-import-cleanup';
import { ImportWriter } from './import-writer';

const POLL_MS = 1000;
/** Parts that are written in one transaction: a part has 500 records or 512 KiB, or one that is larger. */
const PARTS_AT_ONCE = 4;
/** How long a worker waits for older transactions; then it takes another import, and this one comes again later. */
const OLDER_WAIT_MS = 2000;
const MAX_ATTEMPTS = 20;
const RETRY = { baseMs: 500, maxMs: 30_000 };
/** A stop waits for the piece that is being written. */
const BREAK_OFF_MS = 60_000;
/** An import that may go on within this time gets a timer; the poll finds the others. */
const TIMER_MS = 60_000;

/**
 * The import cannot be written now: it was cancelled, its Space is suspended, or older transactions have to end first.
 */
class Stopped extends Error {
  constructor(readonly reason: 'cancelled' | 'suspended' | 'waits') {
    super(reason);
  }
}

/** Writes large imports in the background, by leases: if a process ends, another one continues its imports. */
@Injectable()
export class ImportJobs implements OnModuleDestroy {
  readonly wake: () => void;
  private readonly leases: LeaseHolder<ClaimedImport>;

  constructor(
    private readonly database: Database,
    private readonly queue: ImportQueueRepository,
    private readonly writer: ImportWriter,
    private readonly cleanup: FinishedImportCleanup,
    private readonly storage: StorageQuota,
    private readonly policies: SpacePolicyCache,
    private readonly payerCache: PayerCache,
    private readonly logger: Logger,
    private readonly config: DatasetConfig,
    private readonly poisoned: PoisonedWork,
    private readonly losses: CrashedImportsAndEmbeddings,
    private readonly limits: ReachedLimitReports,
    workers: Workers,
    metrics: Metrics,
  ) {
    this.leases = new LeaseHolder(database, queue, logger, poisoned.marks, {
      what: 'import',
      work: (job, _hold, signal) => this.run(job, signal),
      isSuspect: ({ isSuspect }) => isSuspect,
      remainingMs: () => null,
      timeOut: () => Promise.resolve(),
      handOverMs: 0,
      breakOffMs: BREAK_OFF_MS,
    });
    losses.importer = this.leases;
    metrics.bounded(
      {
        name: 'switchyard_dataset_import_workers',
        help: 'Imports that this process writes at the moment.',
        measures: ['used', 'limit'],
      },
      (set) => set({ used: this.leases.size, limit: config.DATASET_IMPORT_WORKERS }),
    );
    poisoned.add({
      kind: IMPORT,
      retry: (tx, { id }) => this.retryUndo(tx, id),
    });
    const poller = database.idlePoller.for(queue.anyUnfinished);
    this.wake = workers.poll('write imports', POLL_MS, () => this.round(), poller);
    workers.atStop(() => this.leases.end());
    this.leases.onLetGo((afterMs) => {
      // An import of this Space may have been passed over while the Space had its share.
      this.wake();
      if (afterMs > 0 && afterMs <= TIMER_MS)
        setTimeout(() => {
          this.wake();
        }, afterMs + 5).unref();
    });
  }

  onModuleDestroy(): Promise<void> {
    return this.leases.end();
  }

  private async round(): Promise<Polled> {
    if (this.leases.size >= this.config.DATASET_IMPORT_WORKERS) return false;
    const spaces = await this.database.system('find Spaces with imports', (tx) => this.queue.unfinishedSpaces(tx));
    // Before one is claimed: Spaces of one payer must not count as several.
    await this.payerCache.know(spaces);
    const payers = spaces.map((spaceId) => ({ spaceId, payer: this.payerCache.of(spaceId) }));
    const busySpaces = this.busySpaces(payers);
    const requestedAt = performance.now();
    const { job, others } = await this.database.system('claim an import', async (tx) => {
      const workers = await this.losses.count(tx);
      const { embedder } = this.losses;
      const job = await this.queue.claim(tx, this.leases.worker, { embedder, busySpaces, payers });
      return { job, others: workers };
    });
    if (job === null) return others > 0 && 'soon';
    this.leases.start(job, requestedAt);
    return true;
  }

  /** An import is not written again, but what was not taken back of it is. */
  private async retryUndo(tx: Tx, id: string): Promise<RetryOutcome> {
    const outcome = await this.queue.undoAgain(tx, id);
    if (outcome === 'refused')
      throw new AppError('CONFLICT', 'An import that was given up is not tried again. Import its file once more.');
    await this.poisoned.lost.reset(tx, UNDO, id);
    tx.afterCommit(() => {
      this.wake();
    });
    return outcome;
  }

  /** Spaces whose payer has so many imports here that one more would leave no worker for another payer. */
  private busySpaces(payers: readonly SpacePayer[]): string[] {
    const share = Math.max(1, this.config.DATASET_IMPORT_WORKERS - 1);
    return spacesAtShare(payers, byPayer(this.leases.usedBySpace, this.payerCache.of), share);
  }

  private async run(job: ClaimedImport, signal: AbortSignal): Promise<number> {
    try {
      await this.write(job, signal);
      return 0;
    } catch (error) {
      if (signal.aborted || error instanceof LeaseLost) throw error;
      return this.settle(job, error, signal);
    }
  }

  /** Piece by piece, each in a transaction of its own that also says how far it is: nothing is written twice. */
  private async write(job: ClaimedImport, signal: AbortSignal): Promise<void> {
    if (job.phase === 'UNDOING') return this.undo(job, signal);
    if (job.cancelRequestedAt !== null) throw new Stopped('cancelled');
    await this.requireActive(job);
    const ctx = actAs(serviceCtx('dataset'), { spaceId: job.spaceId, userId: job.createdBy });
    const ceilings = await this.storage.ceilingsOf(job.spaceId);
    if (job.piece === 0) await this.hide(job);
    while (job.piece < job.parts) {
      signal.throwIfAborted();
      await this.requireActive(job);
      const until = Math.min(job.parts, job.piece + PARTS_AT_ONCE);
      const written = await retryOnDeadlock(() =>
        this.database.inSpace(job.spaceId, async (tx) => {
          const sum = job.written + (await this.writer.writePiece(tx, ctx, job, { until, ceilings }));
          const stored = await this.queue.advance(tx, job, { piece: until, written: sum });
          if (stored === null) throw new LeaseLost();
          if (stored.isCancelled) throw new Stopped('cancelled');
          return sum;
        }),
      );
      job.piece = until;
      job.written = written;
    }
    await retryOnDeadlock(() =>
      this.database.inSpace(job.spaceId, async (tx) => {
        await this.writer.publish(tx, ctx, job, ceilings);
        // Another worker's, or cancelled in the last moment: `settle` finds out which.
        if (!(await this.queue.end(tx, job, 'SUCCEEDED'))) throw new Stopped('cancelled');
      }),
    );
    this.cleanup.wake();
  }

  /** Nothing is written while the Space is suspended, or while nothing is known of it. */
  private async requireActive({ spaceId }: ClaimedImport): Promise<void> {
    if ((await this.policies.statusOf(spaceId)) !== 'ACTIVE') throw new Stopped('suspended');
  }

  /** Known to every transaction before the first piece is there: those that began earlier end first. */
  private async hide(job: ClaimedImport): Promise<void> {
    await this.database.inSpace(job.spaceId, (tx) => this.queue.hide(tx, job));
    const since = await this.database.inSpace(job.spaceId, (tx) => this.queue.hiddenSince(tx, job));
    if (since === null) throw new LeaseLost();
    const until = Date.now() + OLDER_WAIT_MS;
    while (await this.database.inSpace(job.spaceId, (tx) => this.queue.hasOlderTransactions(tx, since))) {
      if (Date.now() > until) throw new Stopped('waits');
      await sleep(20);
    }
  }

  /** Takes back what is there and hidden, piece by piece. Only then has the import ended, and its keys are free. */
  private async undo(job: ClaimedImport, signal: AbortSignal): Promise<void> {
    while (job.piece > 0) {
      signal.throwIfAborted();
      const from = Math.max(0, job.piece - PARTS_AT_ONCE);
      const isThere = await this.database.inSpace(job.spaceId, async (tx) => {
        await this.writer.undoPiece(tx, job, from);
        return (await this.queue.advance(tx, job, { piece: from, written: 0 })) !== null;
      });
      if (!isThere) throw new LeaseLost();
      job.piece = from;
    }
    let after: string | null = null;
    do {
      signal.throwIfAborted();
      after = await this.database.inSpace(job.spaceId, async (tx): Promise<string | null> => {
        const last = await this.writer.undoUnknown(tx, job, after);
        if ((await this.queue.advance(tx, job, { piece: 0, written: 0 })) === null) throw new LeaseLost();
        return last;
      });
    } while (after !== null);
    await this.database.inSpace(job.spaceId, async (tx) => {
      await this.queue.show(tx, job);
      if (!(await this.queue.end(tx, job, job.error === null ? 'CANCELLED' : 'FAILED'))) throw new LeaseLost();
    });
    this.cleanup.wake();
  }

  /** Releases it for another attempt, and returns the pause before that; or takes it back, and tells its owner why. */
  private async settle(job: ClaimedImport, error: unknown, signal: AbortSignal): Promise<number> {
    const reason = error instanceof Stopped ? error.reason : null;
    if (reason === 'suspended') {
      await this.releaseUntried(job, SUSPENDED_REST_MS);
      // No timer: if only this process knows nothing of the Space, another one can take the import.
      return Infinity;
    }
    if (reason === 'waits' || isLockedByOthers(error)) return this.wait(job);
    const isUndoing = job.phase === 'UNDOING';
    const isCancelled = reason === 'cancelled';
    if (reason === null)
      this.logger.warn({ err: error, importId: job.id, attempt: job.attempts }, 'failed to write an import');
    if (isUndoing && error instanceof AppError && error.code === 'NOT_FOUND') return this.endWithDataset(job);
    if (isUndoing || (isTransient(error) && job.attempts < MAX_ATTEMPTS)) {
      const delayMs = backoffMs(job.attempts, RETRY);
      await this.database.inSpace(job.spaceId, (tx) => this.queue.release(tx, job, delayMs));
      return delayMs;
    }
    this.limits.reportRefusal(job.spaceId, error);
    const failure = isCancelled ? null : failureOf(error);
    const isOurs = await this.database.inSpace(job.spaceId, (tx) => this.queue.undo(tx, job, failure));
    if (!isOurs) return 0;
    return this.run({ ...job, phase: 'UNDOING', error: failure }, signal);
  }

  /** However often it waits for other transactions, it is not given up for that. */
  private async wait(job: ClaimedImport): Promise<number> {
    const delayMs = pauseAfterMs(Date.now() - Date.parse(job.startedAt ?? ''));
    this.logger.info({ importId: job.id, delayMs }, 'an import waits for a lock of another transaction');
    return this.releaseUntried(job, delayMs);
  }

  private async releaseUntried(job: ClaimedImport, delayMs: number): Promise<number> {
    await this.database.inSpace(job.spaceId, (tx) => this.queue.releaseUntried(tx, job, delayMs));
    return delayMs;
  }

  /** Its records went with the dataset. */
  private async endWithDataset(job: ClaimedImport): Promise<number> {
    await this.database.inSpace(job.spaceId, (tx) =>
      this.queue.end(tx, job, job.error === null ? 'CANCELLED' : 'FAILED'),
    );
    this.cleanup.wake();
    return 0;
  }
}

const failureOf = (error: unknown): ImportFailure =>
  error instanceof AppError
    ? { code: error.code, message: error.message }
    : { code: 'SERVER_ERROR', message: 'The import failed for a reason that is ours. Nothing was imported.' };
