import { Injectable } from '@nestjs/common';
import type { ExecutionError, TaskStep } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import {
  AppError,
  JSON_LIMITS,
  VALUE_BYTES,
  cleanJson,
  failpoint,
  jsonBytes,
  runInSlices,
  valuesIn,
} from '@switchyard/kernel';
import { type Hold, Logger, LeaseLost, Metrics, WakeOnTurnEnd } from '@switchyard/service';
import type { Claimed } from '../db/execution-claims.repository';
import { LeasedExecutionsRepository, type StepWrite } from '../db/leased-executions.repository';
import type { StepRow } from '../db/steps.repository';
import { checkStepInput } from '../domain/check-steps';
import { type TemplateVariables, rendering } from '../domain/render-template';
import { SecretPlaceholders } from '../domain/secret-placeholders';
import { secretNamesOf } from '../domain/secret-rules';
import { withoutCredentialHeaders } from '../domain/hide-credential-headers';
import { retryRuleOf } from '../domain/next-step';
import { checkRecorded } from '../domain/task-scopes';
import { afterFailure, errorOf } from '../domain/step-outcome';
import { filling } from '../domain/template';
import { isTruthy } from '../domain/template-filters';
import { TemplateOutputLimit } from '../domain/template-output-limit';
import { WaitsForTurn } from '../steps/agent.step';
import type { AnswerSlot } from '../steps/large-response-slots';
import type { OutsideStep } from '../steps/step-executor';
import { StepExecutors } from '../steps/step-executors';
import { StepFailure } from '../steps/step-failure';
import { TaskConfig } from '../task.config';
import { RunIdentity } from './run-identity';

/** Results that only wait for the next write are written by themselves when they have become this large. */
const UNSAVED_BYTES = 512 * 1024;

export type Stand = Pick<StepRow, 'status' | 'attempt' | 'tries' | 'outages' | 'bytes'>;

export interface StepTurn {
  /** Its `bytes` are what it has in memory by now. */
  execution: Claimed;
  hold: Hold;
  step: TaskStep;
  stand: Stand | undefined;
  scope: TemplateVariables;
  /** No step of the execution has run yet. */
  isFirst: boolean;
  signal: AbortSignal;
  /** Taken by a large answer until the execution ends, is let go of or begins its next step. */
  answerSlot: AnswerSlot;
  /** Bytes of the other steps' inputs and outputs. */
  otherBytes: number;
  /** Results of steps that only compute: they are written together with the next thing that must be written. */
  unsaved: StepWrite[];
  /** Others have the place of the execution while this waits. */
  withoutSlot: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The recorded result, or how long the execution can be released. */
export type StepResult = { recorded: StepWrite } | { parkedMs: number };

/** The sent value has placeholders for secrets; the recorded one does not. */
interface Acting {
  input: Record<string, unknown>;
  secrets: SecretPlaceholders;
  begun: boolean;
}

/** One step of one execution: decides whether it runs, runs it, and records what came of it. */
@Injectable()
export class StepRunner {
  private readonly refused;

  constructor(
    private readonly database: Database,
    private readonly leased: LeasedExecutionsRepository,
    private readonly executors: StepExecutors,
    private readonly identity: RunIdentity,
    private readonly settled: WakeOnTurnEnd,
    private readonly config: TaskConfig,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.refused = metrics.counter(
      'switchyard_steps_too_large_total',
      'Steps that failed because they were too large.',
    );
    const limits = metrics.gauge('switchyard_step_limit_bytes', 'Maximum size of steps and executions.', ['limit']);
    limits.set({ limit: 'value' }, config.TASK_VALUE_MAX_BYTES);
    limits.set({ limit: 'step' }, config.TASK_STEP_MAX_BYTES);
    limits.set({ limit: 'execution' }, config.TASK_EXECUTION_MAX_BYTES);
  }

  /** False for a type that a later version of the platform has added. */
  canRun({ type }: TaskStep): boolean {
    return this.executors.find(type) !== undefined;
  }

  async run(turn: StepTurn): Promise<StepResult> {
    const { step, scope, stand } = turn;
    const executor = this.executors.find(step.type);
    if (!executor) throw new Error(`No executor runs a step of type ${step.type}.`);
    const { TASK_VALUE_MAX_BYTES: valueBytes, TASK_STEP_MAX_BYTES: stepBytes } = this.config;
    if (step.if !== undefined && !isTruthy(await this.condition(scope, step.if.trim())))
      return this.keep(turn, { ...this.fresh(turn), status: 'SKIPPED', attempt: stand?.attempt ?? 0 });
    // A step that was begun keeps its attempt, and with it the name under which its effect is known.
    const begun = stand?.status === 'RUNNING';
    const write: StepWrite = {
      ...this.fresh(turn),
      attempt: (stand?.attempt ?? 0) + (begun ? 0 : 1),
      tries: (stand?.tries ?? 0) + (begun ? 0 : 1),
    };
    const secrets = new SecretPlaceholders(
      step.type === 'http' ? step.with : null,
      secretNamesOf(turn.execution.steps),
    );
    try {
      // Steps with an effect look at their owner each time; one that only computes must not begin a run without one.
      if (!executor.isOutside && turn.isFirst) await this.identity.requireOwner(turn.execution);
      const meter = new TemplateOutputLimit({ valueBytes, stepBytes });
      write.input = cleanJson(await runInSlices(rendering(secrets.marked() ?? step.with, scope, meter)));
      write.bytes = this.sized(turn, write.input, executor.isOutside ? 1 : executor.copies);
      turn.execution.bytes += write.bytes - (stand?.bytes ?? 0);
      checkStepInput(step.type, write.input as Record<string, unknown>, `steps.${step.id}.with`, 'filled');
    } catch (error) {
      write.input = secrets.hidden(write.input);
      return this.record(turn, { ...this.kept(write, error), status: 'FAILED', error: errorOf(error) });
    }
    const input = write.input as Record<string, unknown>;
    if (!executor.isOutside) {
      const result = executor.run(input, begun);
      if ('waitMs' in result) return this.park(turn, write, result.waitMs);
      return this.keep(turn, { ...write, status: 'SUCCEEDED', output: result.output });
    }
    return this.act(turn, executor, { ...write, input: secrets.hidden(input) }, { input, secrets, begun });
  }

  private async act(
    turn: StepTurn,
    executor: OutsideStep,
    write: StepWrite,
    { input, secrets, begun }: Acting,
  ): Promise<StepResult> {
    const { execution, step, signal, answerSlot } = turn;
    try {
      const ctx = await this.identity.of(execution, step.id);
      checkRecorded(ctx, step);
      if (!begun) await this.write(turn, (tx) => this.leased.saveStep(tx, turn.hold, this.shown(write)));
      const effect = {
        execution,
        stepId: step.id,
        attempt: write.attempt,
        input,
        secrets,
        ctx,
        signal,
        answerSlot,
      };
      const run = (): Promise<unknown> => executor.run(effect);
      const result = await (executor.freesWorker ? turn.withoutSlot(run) : run());
      if (result instanceof WaitsForTurn) return await this.awaitTurn(turn, result.turnId);
      const output = cleanJson(result);
      const bytes = write.bytes + this.sized({ ...turn, otherBytes: turn.otherBytes + write.bytes }, output);
      await failpoint('task.step-done');
      return await this.record(turn, { ...write, status: 'SUCCEEDED', output, bytes });
    } catch (error) {
      if (signal.aborted) throw error;
      return this.failed(turn, write, error);
    }
  }

  private async failed(turn: StepTurn, write: StepWrite, thrown: unknown): Promise<StepResult> {
    if (thrown instanceof LeaseLost) throw thrown;
    if (!(thrown instanceof AppError) && !(thrown instanceof StepFailure)) {
      this.logger.error(
        { err: thrown, executionId: turn.execution.id, step: turn.step.id },
        'a step failed with an unexpected error',
      );
    }
    const error: ExecutionError = thrown instanceof StepFailure ? thrown.error : errorOf(thrown);
    const output = thrown instanceof StepFailure ? this.shortened(thrown.output) : null;
    if (error.code === 'PAYLOAD_TOO_LARGE') this.refused.inc();
    const rule = retryRuleOf(turn.step);
    const after = afterFailure(
      { type: turn.step.type, tries: write.tries, outages: write.outages, rule },
      error,
      thrown,
    );
    switch (after.kind) {
      case 'fail':
        return this.record(turn, { ...write, status: 'FAILED', error: after.error, output });
      case 'retry':
        return this.park(turn, { ...write, status: 'PENDING', error: after.error, output }, after.delayMs);
      case 'outage':
        return this.park(turn, { ...write, status: 'RUNNING', outages: write.outages + 1 }, after.delayMs);
    }
  }

  private fresh({ step, stand }: StepTurn): StepWrite {
    return {
      stepId: step.id,
      status: 'RUNNING',
      attempt: 0,
      tries: 0,
      outages: stand?.outages ?? 0,
      input: null,
      output: null,
      error: null,
      bytes: 0,
    };
  }

  private condition(scope: TemplateVariables, text: string): Promise<unknown> {
    const { TASK_VALUE_MAX_BYTES: valueBytes } = this.config;
    // Its value is looked at and not kept.
    return runInSlices(filling(text, scope, new TemplateOutputLimit({ valueBytes, stepBytes: valueBytes })));
  }

  /**
   * The weight of an input or output: its bytes, and something for each value. Refuses what is over the limit of a
   * step, or of its execution.
   */
  private sized(turn: StepTurn, value: unknown, copies = 1): number {
    const { TASK_STEP_MAX_BYTES: ofStep, TASK_EXECUTION_MAX_BYTES: ofAll } = this.config;
    const bytes = jsonBytes(value, ofStep);
    if (bytes > ofStep)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `The step has more than ${ofStep} bytes (TASK_STEP_MAX_BYTES); ask for less.`,
      );
    const values = valuesIn(value, JSON_LIMITS.nodes);
    if (values > JSON_LIMITS.nodes)
      throw new AppError('PAYLOAD_TOO_LARGE', `The step has more than ${JSON_LIMITS.nodes} JSON values; ask for less.`);
    const weight = bytes * copies + VALUE_BYTES * values;
    if (turn.otherBytes + weight > ofAll)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `The steps of the execution have more than ${ofAll} bytes together (TASK_EXECUTION_MAX_BYTES), each JSON value counted with ${VALUE_BYTES} bytes more; keep less of them.`,
      );
    return weight;
  }

  /** Values over the limit are not stored. */
  private kept(write: StepWrite, thrown: unknown): StepWrite {
    const { code, message } = errorOf(thrown);
    if (code !== 'PAYLOAD_TOO_LARGE' && !message.includes('_MAX_BYTES')) return write;
    this.refused.inc();
    return { ...write, input: null, bytes: 0 };
  }

  /** An answer that is shown beside an error, where it is not too long. */
  private shortened(output: unknown): unknown {
    const { TASK_STEP_MAX_BYTES: limit } = this.config;
    return jsonBytes(output, limit) > limit ? null : output;
  }

  /** The step and its turn stay RUNNING: the next worker of the execution reads the turn. */
  private async awaitTurn(turn: StepTurn, turnId: string): Promise<StepResult> {
    const { hold, execution } = turn;
    await this.write(turn, (tx) => this.leased.awaitTurn(tx, hold, { turnId, bytes: execution.bytes }));
    await failpoint('task.waiting');
    this.settled.endLook({ spaceId: hold.spaceId, turnId });
    return { parkedMs: Infinity };
  }

  private async keep(turn: StepTurn, write: StepWrite): Promise<StepResult> {
    turn.unsaved.push(write);
    const bytes = turn.unsaved.reduce((sum, unsaved) => sum + unsaved.bytes, 0);
    if (bytes > UNSAVED_BYTES) await this.write(turn, () => Promise.resolve());
    return { recorded: write };
  }

  private async record(turn: StepTurn, write: StepWrite): Promise<StepResult> {
    await this.write(turn, (tx) => this.leased.saveStep(tx, turn.hold, this.shown(write)));
    return { recorded: write };
  }

  private async park(turn: StepTurn, write: StepWrite, delayMs: number): Promise<StepResult> {
    await this.write(turn, async (tx) => {
      await this.leased.saveStep(tx, turn.hold, this.shown(write));
      await this.leased.park(tx, turn.hold, { delayMs, bytes: turn.execution.bytes });
    });
    return { parkedMs: delayMs };
  }

  private async write({ hold, unsaved }: StepTurn, work: (tx: Tx) => Promise<void>): Promise<void> {
    await this.database.inSpace(hold.spaceId, async (tx) => {
      for (const write of unsaved) await this.leased.saveStep(tx, hold, write);
      await work(tx);
    });
    unsaved.length = 0;
  }

  /** Credentials that a step sends are not shown to everybody who may read its execution. */
  private shown(write: StepWrite): StepWrite {
    const input = write.input as { headers?: Record<string, unknown> } | null;
    if (!input?.headers || typeof input.headers !== 'object') return write;
    const headers = withoutCredentialHeaders(input.headers);
    return { ...write, input: { ...input, headers } };
  }
}
