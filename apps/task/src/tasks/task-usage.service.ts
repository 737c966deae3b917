import { Inject, Injectable } from '@nestjs/common';
import { type Ctx, RelayCauseCalls, type TaskUsage, type UsageOfTask, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import type { Clock } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { CLOCK } from '@switchyard/service';
import { TaskUsageRepository } from '../db/task-usage.repository';
import { type CountOfRuns, type RunWithAgents, sumOfRuns, turnsToSum, usagePeriod } from '../domain/task-usage';
import { TasksService } from './tasks.service';

/** Counts and costs of a task's runs, computed at each request. */
@Injectable()
export class TaskUsageService {
  constructor(
    private readonly database: Database,
    private readonly usages: TaskUsageRepository,
    private readonly tasks: TasksService,
    private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async ofTask(ctx: Ctx, { taskId, ...query }: UsageOfTask): Promise<TaskUsage> {
    const period = usagePeriod(query, this.clock.now());
    const spaceId = requireSpace(ctx);
    await this.database.transaction(ctx, (tx) => this.tasks.need(tx, ctx, taskId));
    const [counts = [], newest = []] = await this.database.read(ctx, [
      this.usages.counts(spaceId, taskId, period),
      this.usages.newest(spaceId, taskId, period),
    ]);
    const { turnIds, costOf } = turnsToSum(newest as unknown as RunWithAgents[]);
    const { tokens, cost } =
      turnIds.length === 0 ? { tokens: 0, cost: 0 } : await this.bus.call(RelayCauseCalls.sumOfTurns, ctx, { turnIds });
    return { ...period, ...sumOfRuns(counts as unknown as CountOfRuns[]), tokens, cost, costOf };
  }
}
