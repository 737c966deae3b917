import { Injectable } from '@nestjs/common';
import { actAs, type ImportFailure, serviceCtx } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, backoffMs } from '@switchyard/kernel';
import { isWorkerGone, Logger, Metrics, workerName, Workers } from '@switchyard/service';
import { DatasetConfig } from '../dataset.config';
import { type ClaimedImport, ImportRepository } from '../db/import.repository';
import { Embedder } from '../vectors/embedder';
import { ImportWriter } from './import-writer';

const POLL_MS = 1000;
const LEASE_MS = 30_000;
/** A worker tells how far it is, and hears of a cancellation, this often. */
const KEEP_MS = 500;
const MOST_ATTEMPTS = 20;
const RETRY = { baseMs: 500, maxMs: 30_000 };

/** The import is not to be written any more: cancelled, another worker's, or this process ends. */
class Stopped extends Error {
  constructor(readonly reason: 'cancelled' | 'lost' | 'shutdown') {
    super(reason);
  }
}

/** Writes large imports in the background. A worker that dies leaves nothing written, and the next one begins anew. */
@Injectable()
export class ImportJobs {
  private readonly wakes: (() => void)[];
  /** The Spaces of the imports that this process writes. */
  private readonly running: string[] = [];

  constructor(
    private readonly database: Database,
    private readonly imports: ImportRepository,
    private readonly writer: ImportWriter,
    private readonly embedder: Embedder,
    private readonly logger: Logger,
    private readonly config: DatasetConfig,
    workers: Workers,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'switchyard_dataset_import_workers',
      'Imports that this process writes at the moment, and how many it can.',
      ['measure'],
      (gauge) => {
        gauge.set({ measure: 'used' }, this.running.length);
        gauge.set({ measure: 'limit' }, config.DATASET_IMPORT_WORKERS);
      },
    );
    this.wakes = Array.from({ length: config.DATASET_IMPORT_WORKERS }, (_, lane) => {
      const worker = workerName();
      return workers.poll(`write imports ${lane}`, POLL_MS, (signal) => this.round(worker, signal));
    });
  }

  wake(): void {
    for (const wake of this.wakes) wake();
  }

  private async round(worker: string, signal: AbortSignal): Promise<boolean> {
    const job = await this.database.system('claim an import', async (tx) => {
      const gone = (await this.imports.workers(tx)).filter(isWorkerGone);
      if (gone.length > 0) await this.imports.release(tx, gone, 0);
      return this.imports.claim(tx, worker, LEASE_MS, this.busySpaces());
    });
    if (job === null) return false;
    this.running.push(job.spaceId);
    try {
      await this.write(job, signal);
      this.embedder.wake();
    } catch (error) {
      await this.settle(job, error);
    } finally {
      this.running.splice(this.running.indexOf(job.spaceId), 1);
      // A job of this Space may have been passed over while it had its share.
      this.wake();
    }
    return true;
  }

  /** Spaces with so many imports here that one more would leave no worker for another Space. */
  private busySpaces(): string[] {
    const share = Math.max(1, this.config.DATASET_IMPORT_WORKERS - 1);
    return [...new Set(this.running)].filter(
      (spaceId) => this.running.filter((other) => other === spaceId).length >= share,
    );
  }

  private async write(job: ClaimedImport, signal: AbortSignal): Promise<void> {
    if (job.cancelRequestedAt !== null) throw new Stopped('cancelled');
    const ctx = actAs(serviceCtx('dataset'), { spaceId: job.spaceId, userId: job.createdBy });
    let keptAt = 0;
    const onPart = async (written: number): Promise<void> => {
      if (signal.aborted) throw new Stopped('shutdown');
      if (Date.now() - keptAt < KEEP_MS) return;
      keptAt = Date.now();
      // Beside the long transaction, so that others see it.
      const kept = await this.database.inSpace(job.spaceId, (tx) => this.imports.keep(tx, job, written, LEASE_MS));
      if (kept === null) throw new Stopped('lost');
      if (kept.isCancelled) throw new Stopped('cancelled');
    };
    await this.database.inSpace(job.spaceId, async (tx: Tx) => {
      await this.writer.write(tx, ctx, job, onPart);
      const kept = await this.imports.keep(tx, job, job.staged, LEASE_MS);
      if (kept === null) throw new Stopped('lost');
      if (kept.isCancelled) throw new Stopped('cancelled');
      await this.imports.end(tx, job.spaceId, job.id, { phase: 'SUCCEEDED', worker: job.worker });
    });
  }

  /** Nothing was written. Whether it is tried again, and if not, what its owner is told. */
  private async settle(job: ClaimedImport, error: unknown): Promise<void> {
    const { spaceId, id, worker } = job;
    if (error instanceof Stopped && error.reason === 'lost') return;
    const isPassing = error instanceof AppError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'TIMEOUT');
    await this.database.inSpace(spaceId, async (tx) => {
      if (error instanceof Stopped && error.reason === 'cancelled') {
        await this.imports.end(tx, spaceId, id, { phase: 'CANCELLED', worker });
      } else if (error instanceof Stopped || (isPassing && job.attempts < MOST_ATTEMPTS)) {
        await this.imports.release(tx, [worker], error instanceof Stopped ? 0 : backoffMs(job.attempts, RETRY));
      } else {
        await this.imports.end(tx, spaceId, id, { phase: 'FAILED', worker, error: failureOf(error) });
      }
    });
    if (error instanceof Stopped) return;
    this.logger.warn({ err: error, importId: id, attempt: job.attempts }, 'an import could not be written');
  }
}

const failureOf = (error: unknown): ImportFailure =>
  error instanceof AppError
    ? { code: error.code, message: error.message }
    : { code: 'SERVER_ERROR', message: 'The import failed for a reason that is ours. Nothing was imported.' };
