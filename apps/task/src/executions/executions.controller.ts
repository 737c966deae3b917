import { Controller } from '@nestjs/common';
import {
  type Ctx,
  EventBusEvents,
  type ExecuteTask,
  type ExecutionById,
  type ExecutionView,
  type ListExecutions,
  type Page,
  type RunView,
  type StopExecution,
  TaskCalls,
  TaskSignals,
  type TriggerTasks,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { Handles } from '@switchyard/messaging';
import { ExecutionRunner } from '../running/execution-runner';
import { ExecutionsService } from './executions.service';
import { TriggersService } from './triggers.service';

@Controller()
export class ExecutionsController {
  constructor(
    private readonly executions: ExecutionsService,
    private readonly triggers: TriggersService,
    private readonly runner: ExecutionRunner,
  ) {}

  @Handles(TaskCalls.execute)
  execute(data: ExecuteTask, ctx: Ctx): Promise<ExecutionView> {
    return this.executions.execute(ctx, data);
  }

  @Handles(TaskCalls.listExecutions)
  list(data: ListExecutions, ctx: Ctx): Promise<Page<ExecutionView>> {
    return this.executions.list(ctx, data);
  }

  @Handles(TaskCalls.getExecution)
  get(data: ExecutionById, ctx: Ctx): Promise<ExecutionView> {
    return this.executions.get(ctx, data.executionId);
  }

  @Handles(TaskCalls.getRun)
  getRun(data: ExecutionById, ctx: Ctx): Promise<RunView> {
    return this.executions.getRun(ctx, data.executionId);
  }

  @Handles(TaskCalls.cancel)
  cancel(data: ExecutionById, ctx: Ctx): Promise<ExecutionView> {
    return this.executions.cancel(ctx, data.executionId);
  }

  @Handles(TaskCalls.retry)
  retry(data: ExecutionById, ctx: Ctx): Promise<ExecutionView> {
    return this.executions.retry(ctx, data.executionId);
  }

  @Handles(EventBusEvents.triggerTasks)
  onTrigger(data: TriggerTasks, ctx: Ctx, tx: Tx): Promise<void> {
    return this.triggers.trigger(tx, ctx, data);
  }

  @Handles(TaskSignals.stopExecution)
  onStop(data: StopExecution): void {
    this.runner.leases.stop(data.executionId);
  }
}
