import { Injectable } from '@nestjs/common';
import { AgentCalls, type Ctx, DatasetCalls, type TaskStep } from '@switchyard/contracts';
import { AppError, isId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';

const idsIn = (steps: readonly TaskStep[], type: TaskStep['type'], field: string): string[] => [
  ...new Set(
    steps
      .filter((step) => step.type === type)
      .map((step) => step.with[field])
      .filter(isId),
  ),
];

/** What the steps name must be there when a task is saved. Whether its owner may use it is asked at every run. */
@Injectable()
export class TaskReferences {
  constructor(private readonly bus: Bus) {}

  async check(ctx: Ctx, steps: readonly TaskStep[]): Promise<void> {
    await Promise.all([
      ...idsIn(steps, 'agent', 'agentId').map((agentId) => this.checkAgent(ctx, agentId)),
      ...idsIn(steps, 'dataset', 'datasetId').map((id) => this.bus.call(DatasetCalls.get, ctx, { id })),
    ]);
  }

  private async checkAgent(ctx: Ctx, agentId: string): Promise<void> {
    try {
      await this.bus.call(AgentCalls.checkCallable, ctx, { agentId });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'FORBIDDEN') throw error;
    }
  }
}
