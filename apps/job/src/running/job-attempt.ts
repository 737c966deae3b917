import { Injectable } from '@nestjs/common';
import { type Ctx, type TurnResult, executeResultOf } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, type JsonObject, failpoint, poisonPoint, sleep } from '@switchyard/kernel';
import {
  type Hold,
  LeaseLost,
  SUSPENDED_REST_MS,
  WakeOnTurnEnd,
  SpaceClocks,
  SpaceConcurrencyLimits,
} from '@switchyard/service';
import { LeasedJobsRepository } from '../db/leased-jobs.repository';
import { type ClaimedJob, JobClaimsRepository } from '../db/job-claims.repository';
import type { JobRow } from '../db/jobs.repository';
import { type AttemptOutcome, afterError, afterTurn } from '../domain/attempt-outcome';
import { progressAfter } from '../domain/job-progress';
import { JobEndEffects } from '../callbacks/job-end-effects';
import { JobIdentity, turnIdOf } from './job-identity';
import { TurnClient } from './turn-client';

const STOPPING_MS = 200;
/** The wait before the second attempt; it doubles from one attempt to the next. */
const RETRY_BASE_MS = 1_000;

/** Work on a job under one lease: starts or reads its turn and stores the result. */
@Injectable()
export class JobAttempt {
  constructor(
    private readonly database: Database,
    private readonly leased: LeasedJobsRepository,
    private readonly claims: JobClaimsRepository,
    private readonly ending: JobEndEffects,
    private readonly identity: JobIdentity,
    private readonly turns: TurnClient,
    private readonly settled: WakeOnTurnEnd,
    private readonly limits: SpaceConcurrencyLimits,
    private readonly clocks: SpaceClocks,
  ) {}

  /** Runs until the job has ended or its lease can be released; returns the delay before it is claimed again. */
  async run(claimed: ClaimedJob, hold: Hold, signal: AbortSignal): Promise<number> {
    // A cancelled job still ends.
    if (claimed.phase !== 'CANCELLING' && !(await this.limits.mayRun(hold.spaceId))) return this.rest(hold);
    poisonPoint('job.attempt', claimed.input);
    const turnId = turnIdOf(claimed);
    const named = { spaceId: hold.spaceId, turnId };
    const isBegun = claimed.turnId === turnId;
    this.settled.beginLook(named);
    let job = await this.write(hold, (tx) => this.leased.begin(tx, hold, turnId));
    for (let outages = 0; ;) {
      const { outcome, turn } = await this.readTurn(job, { turnId, isBegun }, outages);
      signal.throwIfAborted();
      if (outcome.kind === 'running') {
        job = await this.stillRunning(job, hold);
        if (job.phase !== 'CANCELLING') {
          await failpoint('job.waiting');
          this.settled.endLook(named);
          return Infinity;
        }
        outages = 0;
        continue;
      }
      if (outcome.kind === 'outage' && outages < 3) {
        outages += 1;
        await sleep(outcome.delayMs, signal);
        continue;
      }
      await failpoint('job.turn-done');
      const letGoForMs = await this.settle(job, hold, outcome, turn);
      this.settled.endLook(named);
      return letGoForMs;
    }
  }

  /**
   * Until the Space is resumed. If this process knows nothing of the Space, it sets no timer for itself: any process may
   * take the job up again after a few seconds, and another one may be able to ask for it.
   */
  private async rest(hold: Hold): Promise<number> {
    await this.clocks.stopIfSuspended(hold.spaceId);
    await this.orCancelled(hold, (tx) => this.leased.rest(tx, hold, SUSPENDED_REST_MS));
    return Infinity;
  }

  async timeOut(job: JobRow, hold: Hold): Promise<void> {
    if (!(await this.clocks.isOverTime(hold.spaceId, this.claims.overTime(hold)))) {
      await this.rest(hold);
      return;
    }
    void this.turns.stop({ ...job, turnId: turnIdOf(job) });
    return this.end(hold, 'TIMED_OUT', { code: 'TIMEOUT', message: 'The job took longer than its timeoutSeconds.' });
  }

  /** Releases the lease until the turn ends. If the job is being cancelled, stops the turn first. */
  private async stillRunning(job: JobRow, hold: Hold): Promise<JobRow> {
    const progress = progressAfter(Date.now() - Date.parse(job.startedAt ?? job.createdAt));
    try {
      return await this.write(hold, async (tx) => {
        if (job.phase === 'WAITING_INPUT') await this.leased.goOn(tx, hold);
        return this.leased.awaitTurn(tx, hold, progress);
      });
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
    const now = await this.write(hold, (tx) => this.leased.progress(tx, hold, progress));
    await this.turns.stop(now);
    await sleep(STOPPING_MS);
    return now;
  }

  private async readTurn(
    job: JobRow,
    { turnId, isBegun }: { turnId: string; isBegun: boolean },
    outages: number,
  ): Promise<{ outcome: AttemptOutcome; turn?: TurnResult }> {
    const rule = { attempt: job.attempt, maxAttempts: job.maxAttempts, baseMs: RETRY_BASE_MS };
    try {
      const ctx = await this.identity.of(job);
      const turn = await this.turn(ctx, job, { turnId, isBegun });
      return { outcome: afterTurn(rule, turn), turn };
    } catch (error) {
      const isAbsent = error instanceof AppError && error.code === 'NOT_FOUND';
      // A turn that was never begun has nothing to stop; one of a deleted session was cancelled with it.
      if (isAbsent && (job.phase === 'CANCELLING' || (await this.turns.isSessionMissing(job))))
        return { outcome: { kind: 'cancelled' } };
      return { outcome: afterError(rule, error, outages) };
    }
  }

  /** A turn that has started is only read; its input is not sent again. */
  private async turn(
    ctx: Ctx,
    job: JobRow,
    { turnId, isBegun }: { turnId: string; isBegun: boolean },
  ): Promise<TurnResult> {
    if (job.phase === 'RUNNING' && !isBegun) return this.turns.ask(ctx, job, turnId);
    try {
      return await this.turns.read(ctx, job, turnId);
    } catch (error) {
      const wasNeverOpened = error instanceof AppError && error.code === 'NOT_FOUND';
      if (!wasNeverOpened || job.phase !== 'RUNNING') throw error;
      return this.turns.ask(ctx, job, turnId);
    }
  }

  private async settle(job: JobRow, hold: Hold, outcome: AttemptOutcome, turn?: TurnResult): Promise<number> {
    switch (outcome.kind) {
      case 'succeeded':
        await this.succeed(hold, turn as TurnResult);
        return 0;
      case 'cancelled':
        await this.end(hold, 'CANCELLED', null);
        return 0;
      case 'failed':
        await this.fail(hold, outcome.error);
        return 0;
      case 'waiting':
        if (await this.orCancelled(hold, (tx) => this.leased.wait(tx, hold, turn?.interaction ?? null)))
          void this.turns.stop({ ...job, turnId: turnIdOf(job) });
        return Infinity;
      case 'retry':
        return this.scheduleRetry(hold, outcome, job.attempt + 1, `Waiting for attempt ${job.attempt + 1}`);
      case 'throttled':
        return this.scheduleRetry(hold, outcome, job.attempt, 'Waiting for the model provider');
      case 'outage':
      case 'running':
        await this.write(hold, (tx) => this.leased.rest(tx, hold, 2_000));
        return 2_000;
    }
  }

  private async scheduleRetry(
    hold: Hold,
    outcome: { delayMs: number; error: { code: string; message: string } },
    nextAttempt: number,
    message: string,
  ): Promise<number> {
    const cancelled = await this.orCancelled(hold, (tx) =>
      this.leased.tryAgain(tx, hold, { nextAttempt, delayMs: outcome.delayMs, error: outcome.error, message }),
    );
    return cancelled ? 0 : outcome.delayMs;
  }

  private async succeed(hold: Hold, turn: TurnResult): Promise<void> {
    const result = JSON.parse(JSON.stringify(executeResultOf(turn))) as JsonObject;
    await this.orCancelled(hold, async (tx) => this.ending.of(tx, await this.leased.succeed(tx, hold, result)));
  }

  private async fail(hold: Hold, error: { code: string; message: string }): Promise<void> {
    await this.orCancelled(hold, async (tx) => this.ending.of(tx, await this.leased.end(tx, hold, 'FAILED', error)));
  }

  private async end(
    hold: Hold,
    phase: 'CANCELLED' | 'TIMED_OUT',
    error: { code: string; message: string } | null,
  ): Promise<void> {
    const work = async (tx: Tx): Promise<void> => this.ending.of(tx, await this.leased.end(tx, hold, phase, error));
    await (phase === 'CANCELLED' ? this.write(hold, work) : this.orCancelled(hold, work));
  }

  /** From CANCELLING a job can only become CANCELLED, however its turn ended. True if this write did it. */
  private async orCancelled(hold: Hold, work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    try {
      await this.write(hold, work);
      return false;
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      await this.write(hold, async (tx) => this.ending.of(tx, await this.leased.end(tx, hold, 'CANCELLED', null)));
      return true;
    }
  }

  private write<T>(hold: Hold, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.inSpace(hold.spaceId, work);
  }
}
