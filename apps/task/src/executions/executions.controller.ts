import { Controller } from '@nestjs/common';
import {
  type Ctx,
  EventBusEvents,
  type ExecuteTask,
  type ExecutionById,
  type ExecutionContent,
  type ExecutionView,
  type Items,
  type ListExecutions,
  type MatchedEmissions,
  type Page,
  type QueuedOfSpace,
  type RerunExecution,
  type RunView,
  SessionSignals,
  type SearchExecutions,
  type StopExecution,
  TaskCalls,
  TaskSignals,
  TaskStreams,
  requireSpace,
  type TryStep,
  type TurnSettled,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { Handles } from '@switchyard/messaging';
import { WakeOnTurnEnd } from '@switchyard/service';
import { ExecutionClaimer } from '../running/execution-claimer';
import { ExecutionRunner } from '../running/execution-runner';
import { ExecutionListsService } from './execution-lists.service';
import { ExecutionReading } from './execution-reading.service';
import { ExecutionsService } from './executions.service';
import { RerunService } from './rerun.service';
import { TryStepService } from './try-step.service';
import { deliveriesOf } from '../domain/trigger-deliveries';
import { TriggeredExecutions } from './triggered-executions.service';

@Controller()
export class ExecutionsController {
  constructor(
    private readonly executions: ExecutionsService,
    private readonly records: ExecutionReading,
    private readonly lists: ExecutionListsService,
    private readonly reruns: RerunService,
    private readonly tries: TryStepService,
    private readonly triggers: TriggeredExecutions,
    private readonly runner: ExecutionRunner,
    private readonly claimer: ExecutionClaimer,
    private readonly settled: WakeOnTurnEnd,
  ) {}

  @Handles(TaskCalls.topQueued)
  async topQueued(): Promise<Items<QueuedOfSpace>> {
    return { items: await this.claimer.topQueued() };
  }

  @Handles(TaskCalls.execute)
  execute(data: ExecuteTask, ctx: Ctx): Promise<ExecutionView> {
    return this.executions.execute(ctx, data);
  }

  @Handles(TaskCalls.listExecutions)
  list(data: ListExecutions, ctx: Ctx): Promise<Page<ExecutionView>> {
    return this.lists.listOfTask(ctx, data);
  }

  @Handles(TaskCalls.searchExecutions)
  search(data: SearchExecutions, ctx: Ctx): Promise<Page<ExecutionView>> {
    return this.lists.search(ctx, data);
  }

  @Handles(TaskCalls.rerun)
  rerun(data: RerunExecution, ctx: Ctx): Promise<ExecutionView> {
    return this.reruns.rerun(ctx, data);
  }

  @Handles(TaskCalls.tryStep)
  tryStep(data: TryStep, ctx: Ctx): Promise<ExecutionView> {
    return this.tries.try(ctx, data);
  }

  @Handles(TaskCalls.getExecution)
  get(data: ExecutionById, ctx: Ctx): Promise<ExecutionView> {
    return this.executions.get(ctx, data.executionId);
  }

  @Handles(TaskStreams.content)
  content(data: ExecutionContent, ctx: Ctx): AsyncIterable<Uint8Array> {
    return this.records.content(ctx, data);
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

  @Handles(EventBusEvents.emissionsMatched)
  onMatched(data: MatchedEmissions, ctx: Ctx, tx: Tx): Promise<void> {
    return this.triggers.trigger(tx, ctx, deliveriesOf(requireSpace(ctx), data));
  }

  @Handles(SessionSignals.turnSettled)
  onTurnSettled(data: TurnSettled): void {
    this.settled.settled(data);
  }

  @Handles(TaskSignals.stopExecution)
  onStop(data: StopExecution): void {
    this.runner.leases.stop(data.executionId);
  }
}
