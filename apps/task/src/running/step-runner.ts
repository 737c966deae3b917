import { Injectable } from '@nestjs/common';
import type { ExecutionError, StepType, TaskStep } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, cleanJson, failpoint } from '@switchyard/kernel';
import { type Hold, Logger, LostHold } from '@switchyard/service';
import type { ExecutionRow } from '../db/executions.repository';
import { HeldExecutionRepository, type StepWrite } from '../db/held-execution.repository';
import type { StepRow } from '../db/steps.repository';
import { checkStepInput } from '../domain/check-steps';
import { type Scope, render } from '../domain/render';
import { retryRuleOf } from '../domain/step-plan';
import { afterFailure, errorOf } from '../domain/step-outcome';
import { fillIn } from '../domain/template';
import { isTruthy } from '../domain/template-filters';
import { type OutsideStep, StepEffects } from '../steps/step-effects';
import { StepFailure } from '../steps/step-failure';
import { RunIdentity } from './run-identity';

const OUTPUT_LIMIT = 1024 * 1024;

export type Stand = Pick<StepRow, 'status' | 'attempt' | 'tries' | 'outages'>;

export interface StepTurn {
  execution: ExecutionRow;
  hold: Hold;
  step: TaskStep;
  stand: Stand | undefined;
  scope: Scope;
  signal: AbortSignal;
  /** Results of steps that only compute: they are written together with the next thing that must be written. */
  unsaved: StepWrite[];
}

/** What was recorded, or for how long nobody needs to be busy with the execution. */
export type StepResult = { recorded: StepWrite } | { parkedMs: number };

const isOutside = (type: StepType): type is OutsideStep => type !== 'transform' && type !== 'wait';

/** One step of one execution: decides whether it runs, runs it, and records what came of it. */
@Injectable()
export class StepRunner {
  constructor(
    private readonly database: Database,
    private readonly held: HeldExecutionRepository,
    private readonly effects: StepEffects,
    private readonly identity: RunIdentity,
    private readonly logger: Logger,
  ) {}

  async run(turn: StepTurn): Promise<StepResult> {
    const { step, scope, stand } = turn;
    if (step.if !== undefined && !isTruthy(fillIn(step.if.trim(), scope)))
      return this.keep(turn, { ...this.fresh(turn), status: 'SKIPPED', attempt: stand?.attempt ?? 0 });
    // A step that was begun keeps its attempt, and with it the name under which its effect is known.
    const begun = stand?.status === 'RUNNING';
    const write: StepWrite = {
      ...this.fresh(turn),
      attempt: (stand?.attempt ?? 0) + (begun ? 0 : 1),
      tries: (stand?.tries ?? 0) + (begun ? 0 : 1),
    };
    try {
      write.input = cleanJson(render(step.with, scope));
      checkStepInput(step.type, write.input as Record<string, unknown>, `steps.${step.id}.with`, 'filled');
    } catch (error) {
      return this.record(turn, { ...write, status: 'FAILED', error: errorOf(error) });
    }
    if (step.type === 'transform') return this.keep(turn, { ...write, status: 'SUCCEEDED', output: write.input });
    if (step.type === 'wait') return this.wait(turn, write, begun);
    return isOutside(step.type) ? this.act(turn, step.type, write, begun) : { recorded: write };
  }

  /** Waiting is a time in the row; when the execution is taken up again, it has passed. */
  private async wait(turn: StepTurn, write: StepWrite, begun: boolean): Promise<StepResult> {
    const { seconds } = write.input as { seconds: number };
    if (begun || seconds === 0) return this.record(turn, { ...write, status: 'SUCCEEDED', output: { seconds } });
    return this.park(turn, write, seconds * 1000);
  }

  private async act(turn: StepTurn, type: OutsideStep, write: StepWrite, begun: boolean): Promise<StepResult> {
    const { execution, step, signal } = turn;
    try {
      const ctx = await this.identity.of(execution);
      if (!begun) await this.write(turn, (tx) => this.held.saveStep(tx, turn.hold, this.shown(write)));
      const effect = {
        execution,
        stepId: step.id,
        attempt: write.attempt,
        input: write.input as Record<string, unknown>,
        ctx,
        signal,
      };
      const output = this.sized(cleanJson(await this.effects.run(type, effect)));
      await failpoint('task.step-done');
      return await this.record(turn, { ...write, status: 'SUCCEEDED', output });
    } catch (error) {
      if (signal.aborted) throw error;
      return this.failed(turn, write, error);
    }
  }

  private async failed(turn: StepTurn, write: StepWrite, thrown: unknown): Promise<StepResult> {
    if (thrown instanceof LostHold) throw thrown;
    if (!(thrown instanceof AppError) && !(thrown instanceof StepFailure)) {
      this.logger.error(
        { err: thrown, executionId: turn.execution.id, step: turn.step.id },
        'a step failed in a way that nobody expected',
      );
    }
    const error: ExecutionError = thrown instanceof StepFailure ? thrown.error : errorOf(thrown);
    const output = thrown instanceof StepFailure ? thrown.output : null;
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
    };
  }

  private sized(output: unknown): unknown {
    const size = JSON.stringify(output).length;
    if (size <= OUTPUT_LIMIT) return output;
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `The step gave ${size} characters; ${OUTPUT_LIMIT} are kept. Ask for less.`,
    );
  }

  private keep(turn: StepTurn, write: StepWrite): StepResult {
    turn.unsaved.push(write);
    return { recorded: write };
  }

  private async record(turn: StepTurn, write: StepWrite): Promise<StepResult> {
    await this.write(turn, (tx) => this.held.saveStep(tx, turn.hold, this.shown(write)));
    return { recorded: write };
  }

  private async park(turn: StepTurn, write: StepWrite, delayMs: number): Promise<StepResult> {
    await this.write(turn, async (tx) => {
      await this.held.saveStep(tx, turn.hold, this.shown(write));
      await this.held.park(tx, turn.hold, delayMs);
    });
    return { parkedMs: delayMs };
  }

  private async write({ hold, unsaved }: StepTurn, work: (tx: Tx) => Promise<void>): Promise<void> {
    await this.database.inSpace(hold.spaceId, async (tx) => {
      for (const write of unsaved) await this.held.saveStep(tx, hold, write);
      await work(tx);
    });
    unsaved.length = 0;
  }

  /** Credentials that a step sends are not shown to everybody who may read its execution. */
  private shown(write: StepWrite): StepWrite {
    const input = write.input as { headers?: Record<string, unknown> } | null;
    if (!input?.headers || typeof input.headers !== 'object') return write;
    const headers = Object.fromEntries(
      Object.entries(input.headers).map(([name, value]) => [
        name,
        /^(authorization|cookie|x-api-key)$/i.test(name) ? '[redacted]' : value,
      ]),
    );
    return { ...write, input: { ...input, headers } };
  }
}
