import { Injectable } from '@nestjs/common';
import { actAs, type ImportFailure, serviceCtx } from '@switchyard/contracts';
import { Database, type RetryOutcome, type Tx, isLockedByOthers } from '@switchyard/database';
import { type Polled } from '@switchyard/concurrency';
import { AppError, backoffMs, isTransient, sleep } from '@switchyard/kernel';
import {
  Logger,
  Metrics,
  PoisonedWork,
  SUSPENDED_REST_MS,
  SpacePolicies,
  workerName,
  Workers,
} from '@switchyard/service';
import { DatasetConfig } from '../dataset.config';
import { type ClaimedImport, ImportQueueRepository } from '../db/import-queue.repository';
import { IMPORT, UNDO } from '../db/sql/lost-workers-sql';
import { untilUntangled } from '../db/until-untangled';
import { pauseAfterMs } from '../domain/import-job';
import { DatasetLosses } from '../losses/dataset-losses';
import { SpaceStorage } from '../storage/space-storage';
import { ImportLeftovers } from './import-leftovers';
import { ImportWriter } from './import-writer';

const POLL_MS = 1000;
const LEASE_MS = 30_000;
const RENEW_MS = 5000;
/** Parts that are written in one transaction: a part has 500 records or 512 KiB, or one that is larger. */
const PARTS_AT_ONCE = 4;
/** How long a worker waits for older transactions; then it takes another import, and this one comes again later. */
const OLDER_WAIT_MS = 2000;
const MOST_ATTEMPTS = 20;
const RETRY = { baseMs: 500, maxMs: 30_000 };

/** The import is not to be written now: cancelled, another worker's, this process ends, the Space rests, or others have to end first. */
class Stopped extends Error {
  constructor(readonly reason: 'cancelled' | 'lost' | 'shutdown' | 'suspended' | 'waits') {
    super(reason);
  }
}

/** Writes large imports in the background. Where a worker dies, the next one goes on. */
@Injectable()
export class ImportJobs {
  private readonly wakes: (() => void)[];
  /** The Spaces of the imports that this process writes, by the name of the worker. */
  private readonly running = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly queue: ImportQueueRepository,
    private readonly writer: ImportWriter,
    private readonly leftovers: ImportLeftovers,
    private readonly storage: SpaceStorage,
    private readonly policies: SpacePolicies,
    private readonly logger: Logger,
    private readonly config: DatasetConfig,
    private readonly poisoned: PoisonedWork,
    private readonly losses: DatasetLosses,
    workers: Workers,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'switchyard_dataset_import_workers',
      'Imports that this process writes at the moment, and how many it can.',
      ['measure'],
      (gauge) => {
        gauge.set({ measure: 'used' }, this.running.size);
        gauge.set({ measure: 'limit' }, config.DATASET_IMPORT_WORKERS);
      },
    );
    poisoned.add({
      kind: IMPORT,
      retry: (tx, { id }) => this.retryUndo(tx, id),
    });
    const poller = database.idlePoller.for(queue.anyUnfinished);
    this.wakes = Array.from({ length: config.DATASET_IMPORT_WORKERS }, (_, shard) => {
      const worker = workerName();
      losses.importWorkers.set(worker, false);
      return workers.poll(`write imports ${shard}`, POLL_MS, (signal) => this.round(worker, signal), poller);
    });
  }

  wake(): void {
    for (const wake of this.wakes) wake();
  }

  private async round(worker: string, signal: AbortSignal): Promise<Polled> {
    const { job, others } = await this.database.system('claim an import', async (tx) => {
      const workers = await this.losses.count(tx);
      const { importWorkers, embedder } = this.losses;
      const names = [...importWorkers.keys()];
      const limits = { leaseMs: LEASE_MS, busySpaces: this.busySpaces(), workers: names, embedder };
      return { job: await this.queue.claim(tx, worker, limits), others: workers };
    });
    if (job === null) return others > 0 && 'soon';
    this.running.set(worker, job.spaceId);
    this.losses.importWorkers.set(worker, true);
    const renewals = setInterval(() => void this.renew(job), RENEW_MS).unref();
    try {
      await this.write(job, signal);
    } catch (error) {
      await this.settle(job, error, signal);
    } finally {
      clearInterval(renewals);
      this.running.delete(worker);
      this.losses.importWorkers.set(worker, false);
      // A job of this Space may have been passed over while it had its share.
      this.wake();
    }
    return true;
  }

  /** On a connection of its own: the one of the piece is busy until the piece is written. */
  private async renew(job: ClaimedImport): Promise<void> {
    try {
      await this.database.systemWrite('renew the lease of an import', [this.queue.renew(job, LEASE_MS)]);
    } catch (error) {
      this.logger.warn({ err: error, importId: job.id }, 'failed to renew the lease of an import');
    }
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

  /** Spaces with so many imports here that one more would leave no worker for another Space. */
  private busySpaces(): string[] {
    const share = Math.max(1, this.config.DATASET_IMPORT_WORKERS - 1);
    const spaceIds = [...this.running.values()];
    return [...new Set(spaceIds)].filter((spaceId) => spaceIds.filter((other) => other === spaceId).length >= share);
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
      if (signal.aborted) throw new Stopped('shutdown');
      await this.requireActive(job);
      const until = Math.min(job.parts, job.piece + PARTS_AT_ONCE);
      const written = await untilUntangled(() =>
        this.database.inSpace(job.spaceId, async (tx) => {
          const sum = job.written + (await this.writer.writePiece(tx, ctx, job, { until, ceilings }));
          const stored = await this.queue.advance(tx, job, { piece: until, written: sum }, LEASE_MS);
          if (stored === null) throw new Stopped('lost');
          if (stored.isCancelled) throw new Stopped('cancelled');
          return sum;
        }),
      );
      job.piece = until;
      job.written = written;
    }
    await untilUntangled(() =>
      this.database.inSpace(job.spaceId, async (tx) => {
        await this.writer.publish(tx, ctx, job, ceilings);
        // Another worker's, or cancelled in the last moment: `settle` finds out which.
        if (!(await this.queue.end(tx, job, 'SUCCEEDED'))) throw new Stopped('cancelled');
      }),
    );
    this.leftovers.wake();
  }

  /** Nothing is written while the Space is suspended, or while nothing is known of it. */
  private async requireActive({ spaceId }: ClaimedImport): Promise<void> {
    if ((await this.policies.statusOf(spaceId)) !== 'ACTIVE') throw new Stopped('suspended');
  }

  /** Known to every transaction before the first piece is there: those that began earlier end first. */
  private async hide(job: ClaimedImport): Promise<void> {
    await this.database.inSpace(job.spaceId, (tx) => this.queue.hide(tx, job));
    const since = await this.database.inSpace(job.spaceId, (tx) => this.queue.hiddenSince(tx, job));
    if (since === null) throw new Stopped('lost');
    const until = Date.now() + OLDER_WAIT_MS;
    while (await this.database.inSpace(job.spaceId, (tx) => this.queue.hasOlderTransactions(tx, since))) {
      if (Date.now() > until) throw new Stopped('waits');
      await sleep(20);
    }
  }

  /** Takes back what is there and hidden, piece by piece. Only then has the import ended, and its keys are free. */
  private async undo(job: ClaimedImport, signal: AbortSignal): Promise<void> {
    while (job.piece > 0) {
      if (signal.aborted) throw new Stopped('shutdown');
      const from = Math.max(0, job.piece - PARTS_AT_ONCE);
      const isThere = await this.database.inSpace(job.spaceId, async (tx) => {
        await this.writer.undoPiece(tx, job, from);
        return (await this.queue.advance(tx, job, { piece: from, written: 0 }, LEASE_MS)) !== null;
      });
      if (!isThere) throw new Stopped('lost');
      job.piece = from;
    }
    let after: string | null = null;
    do {
      if (signal.aborted) throw new Stopped('shutdown');
      after = await this.database.inSpace(job.spaceId, async (tx): Promise<string | null> => {
        const last = await this.writer.undoUnknown(tx, job, after);
        if ((await this.queue.advance(tx, job, { piece: 0, written: 0 }, LEASE_MS)) === null) throw new Stopped('lost');
        return last;
      });
    } while (after !== null);
    await this.database.inSpace(job.spaceId, async (tx) => {
      await this.queue.show(tx, job);
      if (!(await this.queue.end(tx, job, job.error === null ? 'CANCELLED' : 'FAILED'))) throw new Stopped('lost');
    });
    this.leftovers.wake();
  }

  /** Whether it is tried again, and if not, what its owner is told once nothing of it is left. */
  private async settle(job: ClaimedImport, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof Stopped && error.reason === 'lost') return;
    if (error instanceof Stopped && error.reason === 'suspended') {
      await this.database.inSpace(job.spaceId, (tx) => this.queue.releaseUntried(tx, job, SUSPENDED_REST_MS));
      this.wakeIn(SUSPENDED_REST_MS);
      return;
    }
    if ((error instanceof Stopped && error.reason === 'waits') || isLockedByOthers(error)) return this.wait(job);
    const isUndoing = job.phase === 'UNDOING';
    const isCancelled = error instanceof Stopped && error.reason === 'cancelled';
    if (!(error instanceof Stopped))
      this.logger.warn({ err: error, importId: job.id, attempt: job.attempts }, 'failed to write an import');
    if (isUndoing && error instanceof AppError && error.code === 'NOT_FOUND') return this.endWithDataset(job);
    const isAgain =
      isUndoing || (error instanceof Stopped && !isCancelled) || (isTransient(error) && job.attempts < MOST_ATTEMPTS);
    if (isAgain) {
      const delayMs = error instanceof Stopped ? 0 : backoffMs(job.attempts, RETRY);
      await this.database.inSpace(job.spaceId, (tx) => this.queue.release(tx, [job.worker], delayMs));
      this.wakeIn(delayMs);
      return;
    }
    const failure = isCancelled ? null : failureOf(error);
    const isOurs = await this.database.inSpace(job.spaceId, (tx) => this.queue.undo(tx, job, failure));
    if (!isOurs) return;
    const undoing: ClaimedImport = { ...job, phase: 'UNDOING', error: failure };
    await this.undo(undoing, signal).catch((cause: unknown) => this.settle(undoing, cause, signal));
  }

  /** Others hold what it needs, for as long as they like: however often it comes back for that, it is not given up. */
  private async wait(job: ClaimedImport): Promise<void> {
    const delayMs = pauseAfterMs(Date.now() - Date.parse(job.startedAt ?? ''));
    this.logger.info({ importId: job.id, delayMs }, 'an import waits for a lock of another transaction');
    await this.database.inSpace(job.spaceId, (tx) => this.queue.releaseUntried(tx, job, delayMs));
    this.wakeIn(delayMs);
  }

  private wakeIn(delayMs: number): void {
    setTimeout(() => {
      this.wake();
    }, delayMs + 5).unref();
  }

  /** Its records went with the dataset. */
  private async endWithDataset(job: ClaimedImport): Promise<void> {
    await this.database.inSpace(job.spaceId, (tx) =>
      this.queue.end(tx, job, job.error === null ? 'CANCELLED' : 'FAILED'),
    );
    this.leftovers.wake();
  }
}

const failureOf = (error: unknown): ImportFailure =>
  error instanceof AppError
    ? { code: error.code, message: error.message }
    : { code: 'SERVER_ERROR', message: 'The import failed for a reason that is ours. Nothing was imported.' };
