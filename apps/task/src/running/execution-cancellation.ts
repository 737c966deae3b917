import { Injectable } from '@nestjs/common';
import { type Ctx, TaskSignals } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { ExecutionClaimer } from './execution-claimer';
import { TurnCancellation } from './turn-cancellation';

/** Executions that end in the database while a worker may be at one of their steps: the worker is told to stop. */
@Injectable()
export class ExecutionCancellation {
  constructor(
    private readonly bus: Bus,
    private readonly claimer: ExecutionClaimer,
    private readonly turns: TurnCancellation,
  ) {}

  afterCommit(tx: Tx, ctx: Ctx, executionIds: readonly string[]): void {
    tx.afterCommit(() => {
      for (const executionId of executionIds) this.bus.signal(TaskSignals.stopExecution, ctx, { executionId });
      this.claimer.wake();
      this.turns.wake();
    });
  }
}
