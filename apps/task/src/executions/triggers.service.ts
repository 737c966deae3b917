import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  TaskEvents,
  type TaskTriggered,
  type TriggerTask,
  type TriggerTasks,
  requireSpace,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { ExecutionsRepository } from '../db/executions.repository';
import { TasksRepository } from '../db/tasks.repository';
import { ExecutionStarter } from './execution-starter';

/** Deliveries of events. However often one arrives, it has one execution, and every arrival is answered. */
@Injectable()
export class TriggersService {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly executions: ExecutionsRepository,
    private readonly starter: ExecutionStarter,
  ) {}

  /** Several deliveries of one subscription share a transaction, in their order. */
  async trigger(tx: Tx, ctx: Ctx, message: TriggerTasks): Promise<void> {
    const started = await this.starter.startTriggered(tx, requireSpace(ctx), message.deliveries);
    const deliveries: TaskTriggered[] = [];
    for (const delivery of message.deliveries) {
      const { deliveryId, spaceId, envelopeId } = delivery;
      const executionId = started.get(deliveryId);
      const answer = executionId ? { outcome: 'TRIGGERED' as const, executionId } : await this.run(tx, delivery);
      deliveries.push({ deliveryId, spaceId, envelopeId, ...answer });
    }
    await tx.announce(TaskEvents.triggered, ctx, { deliveries });
  }

  /** One that has been here before, or whose task has to be looked at. */
  private async run(tx: Tx, message: TriggerTask): Promise<Pick<TaskTriggered, 'outcome' | 'executionId'>> {
    const { spaceId, deliveryId, trigger } = message;
    const { task, executionId: known } = await this.tasks.findForDelivery(tx, spaceId, message.taskId, deliveryId);
    if (known) return { outcome: 'TRIGGERED', executionId: known };
    if (!task) return { outcome: 'FAILED', executionId: null };
    if (!task.active || task.type !== 'EVENT') return { outcome: 'SKIPPED', executionId: null };
    const row = await this.starter.start(tx, task, {
      kind: 'EVENT',
      inputs: { ...task.inputs, trigger },
      requestedBy: null,
      cause: { causationId: trigger.id, correlationId: trigger.correlationId, depth: trigger.depth },
      deliveryId,
    });
    const executionId = row?.id ?? (await this.executions.findOfDelivery(tx, spaceId, deliveryId))?.id ?? null;
    return { outcome: 'TRIGGERED', executionId };
  }
}
