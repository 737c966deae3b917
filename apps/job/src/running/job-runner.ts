import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { sleep } from '@switchyard/kernel';
import { Logger, workerName } from '@switchyard/service';
import { type Hold, LostHold } from '../db/held-job.repository';
import { type ClaimedJob, JobClaimsRepository } from '../db/job-claims.repository';
import { JobAttempt } from './job-attempt';
import { turnIdOf } from './job-identity';
import { TurnPort } from './turn-port';

type StopReason = 'lost' | 'timeout' | 'shutdown';

interface Running {
  job: ClaimedJob;
  hold: Hold;
  stop: (reason: StopReason) => void;
  done: Promise<void>;
  isStopping: boolean;
}

const HEARTBEAT_MS = 10_000;
/** Before the lease can be taken: whoever cannot keep it stops by itself. */
const SELF_FENCE_MS = 20_000;
const HAND_OVER_MS = 3_000;
const STOP_AGAIN_MS = 200;

/** The jobs that this process works on. */
@Injectable()
export class JobRunner implements OnModuleInit, OnModuleDestroy {
  readonly worker = workerName();
  private readonly running = new Map<string, Running>();
  private readonly listeners: ((afterMs: number) => void)[] = [];
  private heartbeat?: NodeJS.Timeout;
  private keptAt = performance.now();

  constructor(
    private readonly database: Database,
    private readonly claims: JobClaimsRepository,
    private readonly attempts: JobAttempt,
    private readonly turns: TurnPort,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.heartbeat = setInterval(() => void this.keep(), HEARTBEAT_MS);
  }

  /** The turns go on by themselves; the next process asks after them. */
  async onModuleDestroy(): Promise<void> {
    const all = (): Promise<unknown> => Promise.allSettled([...this.running.values()].map(({ done }) => done));
    await Promise.race([all(), sleep(HAND_OVER_MS)]);
    for (const { stop } of this.running.values()) stop('shutdown');
    await Promise.race([all(), sleep(HAND_OVER_MS)]);
    clearInterval(this.heartbeat);
  }

  get size(): number {
    return this.running.size;
  }

  onLetGo(listener: (afterMs: number) => void): void {
    this.listeners.push(listener);
  }

  start(job: ClaimedJob): void {
    const hold: Hold = { spaceId: job.spaceId, id: job.id, epoch: job.epoch, worker: this.worker };
    const abort = new AbortController();
    let reason: StopReason = 'lost';
    const stop = (why: StopReason): void => {
      reason = why;
      abort.abort();
    };
    // A job that waits for a person has no deadline while it waits.
    const timer =
      job.phase === 'RUNNING'
        ? setTimeout(
            () => {
              stop('timeout');
            },
            Math.min(Math.max(0, job.remainingMs), 2 ** 31 - 1),
          )
        : undefined;
    const done = this.work(job, hold, abort.signal, () => reason).then((afterMs) => {
      clearTimeout(timer);
      if (this.running.get(job.id)?.hold === hold) this.running.delete(job.id);
      for (const listener of this.listeners) listener(afterMs);
    });
    this.running.set(job.id, { job, hold, stop, done, isStopping: false });
    if (job.phase === 'CANCELLING') this.cancel(job.id);
  }

  /** Whoever holds the job stops its turn; the end of the turn is the end of the job. */
  cancel(jobId: string): void {
    const running = this.running.get(jobId);
    if (!running || running.isStopping) return;
    running.isStopping = true;
    void this.stopTurn(running);
  }

  /** A turn that is just about to begin cannot be told yet, so it is told until it has heard. */
  private async stopTurn(running: Running): Promise<void> {
    const job = { ...running.job, turnId: turnIdOf(running.job) };
    while (this.running.get(job.id) === running && !(await this.turns.stop(job))) await sleep(STOP_AGAIN_MS);
    running.isStopping = false;
  }

  private async work(job: ClaimedJob, hold: Hold, signal: AbortSignal, reason: () => StopReason): Promise<number> {
    const stopped = new Promise<'stopped'>((resolve) => {
      signal.addEventListener(
        'abort',
        () => {
          resolve('stopped');
        },
        { once: true },
      );
    });
    try {
      const result = await Promise.race([this.attempts.run(job, hold, signal), stopped]);
      if (result !== 'stopped') return result;
      if (reason() === 'timeout') await this.attempts.timeOut(job, hold);
      if (reason() === 'shutdown') await this.release(hold);
    } catch (error) {
      if (error instanceof LostHold) return 0;
      this.logger.warn({ err: error, jobId: hold.id }, 'a job was interrupted; it will be taken up again');
      await sleep(500);
      await this.release(hold);
    }
    return 0;
  }

  private async release(hold: Hold): Promise<void> {
    await this.database.inSpace(hold.spaceId, (tx) => this.claims.release(tx, hold)).catch(() => undefined);
  }

  private async keep(): Promise<void> {
    const holds = [...this.running.values()].map(({ hold }) => hold);
    try {
      const kept =
        holds.length === 0
          ? []
          : await this.database.system('keep leases', (tx) => this.claims.keep(tx, this.worker, holds));
      this.keptAt = performance.now();
      const still = new Set(kept.map(({ id, epoch }) => `${id}/${epoch}`));
      for (const hold of holds) {
        const running = this.running.get(hold.id);
        if (running?.hold === hold && !still.has(`${hold.id}/${hold.epoch}`)) running.stop('lost');
      }
      // The signal that a job is to be cancelled may have been missed.
      for (const { id, phase } of kept) if (phase === 'CANCELLING') this.cancel(id);
    } catch (error) {
      this.logger.warn({ err: error }, 'leases could not be kept');
      if (performance.now() - this.keptAt > SELF_FENCE_MS) for (const { stop } of this.running.values()) stop('lost');
    }
  }
}
