import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { ExecutionError, TaskStep } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { sleep } from '@switchyard/kernel';
import { Logger, Metrics, workerName } from '@switchyard/service';
import { type Claimed, ClaimsRepository } from '../db/claims.repository';
import type { ExecutionRow } from '../db/executions.repository';
import { HeldExecutionRepository, type Hold, LostHold, type StepWrite } from '../db/held-execution.repository';
import { type StepRow, StepsRepository } from '../db/steps.repository';
import { type RetryRule, isFinal, retryDelayMs } from '../domain/retry-rule';
import { type Plan, type StepStand, planNext, toRunAgain } from '../domain/step-plan';
import { StepRunner } from './step-runner';

type Ending = Extract<Plan<TaskStep>, { end: string }>;
type StopReason = 'lost' | 'timeout' | 'shutdown';

interface Running {
  hold: Hold;
  stop: (reason: StopReason) => void;
  done: Promise<void>;
}

const HEARTBEAT_MS = 10_000;
/** Before the lease can be taken: whoever cannot keep it stops by itself. */
const SELF_FENCE_MS = 20_000;
const HAND_OVER_MS = 15_000;
const TIMED_OUT: ExecutionError = { code: 'TIMEOUT', message: 'The execution took longer than its task allows.' };

/** The executions that this process works on. */
@Injectable()
export class ExecutionRunner implements OnModuleInit, OnModuleDestroy {
  readonly worker = workerName();
  private readonly running = new Map<string, Running>();
  private readonly listeners: ((afterMs: number) => void)[] = [];
  private heartbeat?: NodeJS.Timeout;
  private keptAt = performance.now();

  constructor(
    private readonly database: Database,
    private readonly claims: ClaimsRepository,
    private readonly held: HeldExecutionRepository,
    private readonly stepRows: StepsRepository,
    private readonly steps: StepRunner,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.heartbeat = setInterval(() => void this.keep(), HEARTBEAT_MS);
  }

  /** Gives what runs a moment to end by itself; what is left goes to whoever takes it next. */
  async onModuleDestroy(): Promise<void> {
    const all = (): Promise<unknown> => Promise.allSettled([...this.running.values()].map(({ done }) => done));
    await Promise.race([all(), sleep(HAND_OVER_MS)]);
    for (const { stop } of this.running.values()) stop('shutdown');
    await Promise.race([all(), sleep(3_000)]);
    clearInterval(this.heartbeat);
  }

  get size(): number {
    return this.running.size;
  }

  /** Told whenever an execution has been let go of, with the time after which it wants to be taken up again. */
  onLetGo(listener: (afterMs: number) => void): void {
    this.listeners.push(listener);
  }

  start(execution: Claimed): void {
    const hold: Hold = { spaceId: execution.spaceId, id: execution.id, epoch: execution.epoch, worker: this.worker };
    const abort = new AbortController();
    let reason: StopReason = 'lost';
    const stop = (why: StopReason): void => {
      reason = why;
      abort.abort();
    };
    const timer = setTimeout(
      () => {
        stop('timeout');
      },
      Math.min(Math.max(0, execution.remainingMs), 2 ** 31 - 1),
    );
    const done = this.work(execution, hold, abort.signal, () => reason).then((afterMs) => {
      clearTimeout(timer);
      if (this.running.get(execution.id)?.hold === hold) this.running.delete(execution.id);
      for (const listener of this.listeners) listener(afterMs);
    });
    this.running.get(execution.id)?.stop('lost');
    this.running.set(execution.id, { hold, stop, done });
  }

  stop(executionId: string): void {
    this.running.get(executionId)?.stop('lost');
  }

  /** Never throws: what goes wrong with one execution is its own affair. */
  private async work(execution: Claimed, hold: Hold, signal: AbortSignal, reason: () => StopReason): Promise<number> {
    try {
      return await this.advance(execution, hold, signal);
    } catch (error) {
      if (error instanceof LostHold) return 0;
      if (signal.aborted) await this.stopped(hold, reason());
      else {
        this.logger.warn(
          { err: error, executionId: hold.id },
          'an execution was interrupted; it will be taken up again',
        );
        await sleep(500);
        await this.release(hold);
      }
      return 0;
    }
  }

  private async advance(execution: Claimed, hold: Hold, signal: AbortSignal): Promise<number> {
    // Nobody has held it before: no step of it can have a row.
    const isFirst = execution.epoch === 1;
    const rows = isFirst
      ? []
      : await this.database.inSpace(hold.spaceId, (tx) => this.stepRows.of(tx, hold.spaceId, [hold.id]));
    const stands = new Map(rows.map((row) => [row.stepId, { ...row, id: row.stepId }] as const));
    const unsaved: StepWrite[] = [];
    for (;;) {
      signal.throwIfAborted();
      const plan: Plan<TaskStep> = planNext(execution.steps, stands as ReadonlyMap<string, StepStand>);
      if ('end' in plan) return this.end(execution, hold, plan, stands, unsaved);
      const step = plan.next;
      const result = await this.steps.run({
        execution,
        hold,
        step,
        stand: stands.get(step.id),
        scope: this.scope(execution, stands),
        signal,
        unsaved,
      });
      if ('parkedMs' in result) return result.parkedMs;
      stands.set(step.id, { ...result.recorded, id: step.id, executionId: hold.id, startedAt: null, finishedAt: null });
    }
  }

  private scope(
    execution: ExecutionRow,
    stands: ReadonlyMap<string, StepRow>,
  ): Parameters<StepRunner['run']>[0]['scope'] {
    const { id, taskId, attempt, inputs, slot } = execution;
    const steps = [...stands.values()].map(
      ({ stepId, status, output, error }) => [stepId, { status, output: output ?? null, error }] as const,
    );
    return { execution: { id, taskId, attempt, inputs, scheduledFor: slot }, steps: Object.fromEntries(steps) };
  }

  private async end(
    execution: ExecutionRow,
    hold: Hold,
    plan: Ending,
    stands: ReadonlyMap<string, StepStand>,
    unsaved: StepWrite[],
  ): Promise<number> {
    const failed = plan.end === 'FAILED' ? plan.error : null;
    if (failed && execution.attempt < execution.lastAttempt && !isFinal(failed.code))
      return this.tryAgain(execution, hold, failed, stands, unsaved);
    const output = plan.end === 'SUCCEEDED' ? plan.output : null;
    await this.database.inSpace(hold.spaceId, async (tx) => {
      for (const write of unsaved) await this.held.saveStep(tx, hold, write);
      await this.held.end(tx, hold, { status: plan.end, output, error: failed });
    });
    this.metrics
      .counter('switchyard_executions_ended', 'Executions by how they ended.', ['status'])
      .inc({ status: plan.end });
    return 0;
  }

  private async tryAgain(
    execution: ExecutionRow,
    hold: Hold,
    error: ExecutionError,
    stands: ReadonlyMap<string, StepStand>,
    unsaved: StepWrite[],
  ): Promise<number> {
    const rule: RetryRule = { maxAttempts: execution.lastAttempt, backoffSeconds: execution.backoffSeconds };
    const delayMs = retryDelayMs(rule, execution.attempt);
    await this.database.inSpace(hold.spaceId, async (tx) => {
      for (const write of unsaved) await this.held.saveStep(tx, hold, write);
      await this.held.tryAgain(tx, hold, delayMs, error);
      await this.stepRows.clear(tx, hold.spaceId, hold.id, toRunAgain(execution.steps, stands));
    });
    return delayMs;
  }

  private async stopped(hold: Hold, reason: StopReason): Promise<void> {
    if (reason === 'lost') return;
    if (reason === 'shutdown') return this.release(hold);
    try {
      await this.database.inSpace(hold.spaceId, async (tx) => {
        await this.held.end(tx, hold, { status: 'TIMED_OUT', output: null, error: TIMED_OUT });
        await this.stepRows.cancelRunning(tx, hold.spaceId, [hold.id]);
      });
    } catch (error) {
      if (!(error instanceof LostHold))
        this.logger.warn({ err: error, executionId: hold.id }, 'a timeout was not recorded; the sweeper will do it');
    }
  }

  /** Without a database nobody can be told; the lease runs out then. */
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
    } catch (error) {
      this.logger.warn({ err: error }, 'leases could not be kept');
      if (performance.now() - this.keptAt > SELF_FENCE_MS) for (const { stop } of this.running.values()) stop('lost');
    }
  }
}
