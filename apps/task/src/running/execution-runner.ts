import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type ExecutionError, OVERSIZED_FACTOR, SIZES, shownBytes, type TaskStep } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { failpoint, jsonBytes, poisonPoint } from '@switchyard/kernel';
import {
  type Hold,
  LeaseHolder,
  Logger,
  Metrics,
  PoisonedWork,
  SUSPENDED_REST_MS,
  SpaceClocks,
  SpaceConcurrencyLimits,
} from '@switchyard/service';
import { type Claimed, ExecutionClaimsRepository } from '../db/execution-claims.repository';
import type { ExecutionRow } from '../db/executions.repository';
import { LeasedExecutionsRepository, type StepWrite } from '../db/leased-executions.repository';
import { type StepRow, StepsRepository } from '../db/steps.repository';
import { type RetryRule, isFinal, retryDelayMs } from '../domain/retry-rule';
import { type Plan, type StepStand, planNext, toRunAgain } from '../domain/next-step';
import { stepsReadBy } from '../domain/steps-read-by';
import { type AnswerSlot, LargeResponseSlots } from '../steps/large-response-slots';
import { ExecutionEndWriter } from './execution-end-writer';
import { TaskConfig } from '../task.config';
import { StepRunner } from './step-runner';

const bytesOf = (stands: ReadonlyMap<string, StepRow>, except?: string): number =>
  [...stands.values()].reduce((sum, { stepId, bytes }) => (stepId === except ? sum : sum + bytes), 0);

type PlannedEnd = Extract<Plan<TaskStep>, { end: string }>;

const HAND_OVER_MS = 15_000;
/** So many times the places of the process may wait for answers without one. */
const WAITING_PER_WORKER = 2;
/** An execution that finds no memory is taken up again after it, here or elsewhere. */
const YIELD_MS = 2_000;
/** After it, an execution whose step this version cannot run is taken up again, here or elsewhere. */
const LATER_VERSION_MS = 5_000;
const UNREADABLE: ExecutionError = {
  code: 'VALIDATION_ERROR',
  message: `steps must be at most ${shownBytes(SIZES.steps)}; those of this execution have more than ${OVERSIZED_FACTOR} times that and are not read. Start the task anew.`,
  retryable: false,
};
const TIMED_OUT: ExecutionError = { code: 'TIMEOUT', message: 'The execution took longer than its task allows.' };

/** The executions that this process works on. */
@Injectable()
export class ExecutionRunner implements OnModuleDestroy {
  readonly leases: LeaseHolder<Claimed>;

  constructor(
    private readonly database: Database,
    private readonly claims: ExecutionClaimsRepository,
    private readonly leased: LeasedExecutionsRepository,
    private readonly stepRows: StepsRepository,
    private readonly steps: StepRunner,
    private readonly endings: ExecutionEndWriter,
    answers: LargeResponseSlots,
    private readonly limits: SpaceConcurrencyLimits,
    private readonly clocks: SpaceClocks,
    private readonly poisoned: PoisonedWork,
    private readonly config: TaskConfig,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {
    this.leases = new LeaseHolder(database, claims, logger, poisoned.marks, {
      what: 'execution',
      work: async (execution, hold, signal) => {
        const answerSlot = answers.of(hold.spaceId, signal);
        try {
          return await this.advance(execution, hold, signal, answerSlot);
        } finally {
          answerSlot.end();
        }
      },
      isSuspect: ({ takeovers }) => takeovers > 0,
      remainingMs: ({ remainingMs }) => remainingMs,
      timeOut: (execution, hold) => this.timeOut(execution, hold),
      handOverMs: HAND_OVER_MS,
    });
  }

  onModuleDestroy(): Promise<void> {
    return this.leases.end();
  }

  private async advance(execution: Claimed, hold: Hold, signal: AbortSignal, answerSlot: AnswerSlot): Promise<number> {
    if (!execution.hasReadableSteps) return this.giveUp(execution, hold);
    poisonPoint('task.execution', execution.inputs);
    // First claim: none of its steps can have a row.
    const isFirst = execution.epoch === 1;
    const rows = isFirst
      ? []
      : await this.database.inSpace(hold.spaceId, (tx) => this.stepRows.findByExecutions(tx, hold.spaceId, [hold.id]));
    const stands = new Map(rows.map((row) => [row.stepId, { ...row, id: row.stepId }] as const));
    const past = await this.pastResults(execution, hold);
    const pastBytes = past.reduce((sum, { bytes }) => sum + bytes, 0);
    const unsaved: StepWrite[] = [];
    // The row's byte count may leave out steps that a lost worker has written.
    const ownBytes = isFirst ? execution.bytes : jsonBytes(execution.steps) + jsonBytes(execution.inputs) + pastBytes;
    for (let done = 0; ; done += 1) {
      execution.bytes = ownBytes + bytesOf(stands);
      signal.throwIfAborted();
      const plan: Plan<TaskStep> = planNext(execution.steps, stands as ReadonlyMap<string, StepStand>);
      if ('end' in plan) return this.end(execution, hold, plan, stands, unsaved);
      if (!(await this.limits.mayRun(hold.spaceId))) return this.rest(execution, hold, unsaved);
      if (done > 0 && this.isTooMuch(execution)) {
        stands.clear();
        return this.yield(execution, hold, unsaved);
      }
      // The answer counts in the execution's bytes by now.
      answerSlot.end();
      const step = plan.next;
      if (!this.steps.canRun(step)) return this.leave(execution, hold, step, unsaved);
      const result = await this.steps.run({
        execution,
        hold,
        step,
        stand: stands.get(step.id),
        scope: this.scope(execution, [...past, ...stands.values()]),
        isFirst: stands.size === 0,
        otherBytes: bytesOf(stands, step.id) + pastBytes,
        signal,
        answerSlot,
        unsaved,
        withoutSlot: (work) => this.leases.withoutSlot(hold, this.config.TASK_WORKERS * WAITING_PER_WORKER, work),
      });
      if ('parkedMs' in result) return result.parkedMs;
      stands.set(step.id, { ...result.recorded, id: step.id, executionId: hold.id, startedAt: null, finishedAt: null });
    }
  }

  /** Of the execution whose results a tried step reads. */
  private async pastResults({ triedStep, rerunOf, steps: [step] }: Claimed, { spaceId }: Hold): Promise<StepRow[]> {
    if (triedStep === null || rerunOf === null || !step) return [];
    const rows = await this.database.inSpace(spaceId, (tx) =>
      this.stepRows.findResults(tx, spaceId, rerunOf, stepsReadBy(step)),
    );
    return rows.filter(({ stepId }) => stepId !== step.id);
  }

  /**
   * Its steps are so large that they were not read: it fails, and operators see it among the work that was given up.
   */
  private async giveUp({ spaceId, id }: Claimed, hold: Hold): Promise<number> {
    this.logger.warn({ executionId: id, spaceId }, 'failing an execution: its steps are too large to read');
    await this.database.inSpace(spaceId, async (tx) => {
      await this.leased.end(tx, hold, { status: 'FAILED', output: null, error: UNREADABLE });
      await this.stepRows.cancelRunning(tx, spaceId, [id]);
      await this.poisoned.lost.giveUp(tx, [{ kind: 'execution', id, spaceId, losses: 0 }]);
    });
    return 0;
  }

  /**
   * Until the Space is resumed the execution goes no further. If this process knows nothing of the Space, it sets no
   * timer for itself: any process may take the execution up again after a few seconds, and another one may be able to ask for it.
   */
  private async rest(execution: Claimed, hold: Hold, unsaved: StepWrite[]): Promise<number> {
    await this.clocks.stopIfSuspended(hold.spaceId);
    await this.database.inSpace(hold.spaceId, async (tx) => {
      for (const write of unsaved) await this.leased.saveStep(tx, hold, write);
      await this.leased.park(tx, hold, { delayMs: SUSPENDED_REST_MS, bytes: execution.bytes });
    });
    return Infinity;
  }

  /**
   * The process has grown past its memory with what the steps gave. The execution that it has had for longest goes on,
   * so that there is an end to it; those within their part of the memory go on as well.
   */
  private isTooMuch({ id, bytes }: Claimed): boolean {
    const { TASK_CLAIMED_MAX_BYTES: most, TASK_WORKERS: workers } = this.config;
    return bytes > most / (workers * (1 + WAITING_PER_WORKER)) && this.leases.bytes > most && !this.leases.isOldest(id);
  }

  private async yield(execution: Claimed, hold: Hold, unsaved: StepWrite[]): Promise<number> {
    const { bytes } = execution;
    // At once: the next that looks need not leave as well.
    execution.bytes = 0;
    await this.database.inSpace(hold.spaceId, async (tx) => {
      for (const write of unsaved) await this.leased.saveStep(tx, hold, write);
      await this.leased.yield(tx, hold, { delayMs: YIELD_MS, bytes });
    });
    this.metrics
      .counter(
        'switchyard_executions_yielded_total',
        'Executions that were paused for lack of memory and resumed later.',
      )
      .inc();
    return YIELD_MS;
  }

  /** A step of a later version, during an upgrade: the execution waits for a process that can run it. */
  private async leave(execution: Claimed, hold: Hold, step: TaskStep, unsaved: StepWrite[]): Promise<number> {
    this.logger.warn(
      { executionId: execution.id, step: step.id, type: step.type },
      'no executor for this step type; leaving the execution to a later version',
    );
    await this.database.inSpace(hold.spaceId, async (tx) => {
      for (const write of unsaved) await this.leased.saveStep(tx, hold, write);
      await this.leased.yield(tx, hold, { delayMs: LATER_VERSION_MS, bytes: execution.bytes });
    });
    return LATER_VERSION_MS;
  }

  private scope(execution: ExecutionRow, rows: readonly StepRow[]): Parameters<StepRunner['run']>[0]['scope'] {
    const { id, taskId, attempt, inputs, slot } = execution;
    const steps = rows.map(
      ({ stepId, status, output, error }) => [stepId, { status, output: output ?? null, error }] as const,
    );
    return { execution: { id, taskId, attempt, inputs, scheduledFor: slot }, steps: Object.fromEntries(steps) };
  }

  private async end(
    execution: Claimed,
    hold: Hold,
    plan: PlannedEnd,
    stands: ReadonlyMap<string, StepStand>,
    unsaved: StepWrite[],
  ): Promise<number> {
    const failed = plan.end === 'FAILED' ? plan.error : null;
    if (failed && execution.attempt < execution.lastAttempt && !isFinal(failed))
      return this.tryAgain(execution, hold, failed, stands, unsaved);
    const output = plan.end === 'SUCCEEDED' ? plan.output : null;
    await failpoint('task.ending');
    await this.endings.write({ hold, steps: unsaved, ending: { status: plan.end, output, error: failed } });
    this.metrics
      .counter('switchyard_executions_ended_total', 'Executions that ended, by status.', ['status'])
      .inc({ status: plan.end });
    return 0;
  }

  private async tryAgain(
    execution: Claimed,
    hold: Hold,
    error: ExecutionError,
    stands: ReadonlyMap<string, StepStand>,
    unsaved: StepWrite[],
  ): Promise<number> {
    const rule: RetryRule = { maxAttempts: execution.lastAttempt, backoffSeconds: execution.backoffSeconds };
    const delayMs = retryDelayMs(rule, execution.attempt);
    await this.database.inSpace(hold.spaceId, async (tx) => {
      for (const write of unsaved) await this.leased.saveStep(tx, hold, write);
      await this.leased.tryAgain(tx, hold, { delayMs, bytes: execution.bytes }, error);
      await this.stepRows.clear(tx, hold.spaceId, hold.id, toRunAgain(execution.steps, stands));
    });
    return delayMs;
  }

  private async timeOut(execution: Claimed, hold: Hold): Promise<void> {
    if (!(await this.clocks.isOverTime(hold.spaceId, this.claims.overTime(hold)))) {
      await this.rest(execution, hold, []);
      return;
    }
    await this.database.inSpace(hold.spaceId, async (tx) => {
      await this.leased.end(tx, hold, { status: 'TIMED_OUT', output: null, error: TIMED_OUT });
      await this.stepRows.cancelRunning(tx, hold.spaceId, [hold.id]);
    });
  }
}
