import { Injectable } from '@nestjs/common';
import { type Ctx, TaskEvents, type TaskTriggered, type TriggerTask, requireSpace } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { Logger } from '@switchyard/service';
import { ExecutionsRepository } from '../db/executions.repository';
import { TasksRepository } from '../db/tasks.repository';
import { ExecutionStarter } from './execution-starter';

/** As many as `TasksTriggered` takes. */
const ANSWERS_PER_EVENT = 100;
const FAILED = { outcome: 'FAILED' as const, executionId: null };

/** Deliveries of events. However often one arrives, it has one execution, and every arrival is answered. */
@Injectable()
export class TriggeredExecutions {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly executions: ExecutionsRepository,
    private readonly starter: ExecutionStarter,
    private readonly logger: Logger,
  ) {}

  /**
   * Several deliveries share a transaction, in their order. One that cannot be started must not
   * take the others with it into the dead letters: it is answered as failed, and its envelope can be replayed. Alone it
   * is tried again as every event is.
   */
  async trigger(tx: Tx, ctx: Ctx, arrived: readonly TriggerTask[]): Promise<void> {
    const spaceId = requireSpace(ctx);
    const isAlone = arrived.length === 1;
    const started = await (isAlone
      ? this.starter.startTriggered(tx, spaceId, arrived)
      : this.orNull(tx, () => this.starter.startTriggered(tx, spaceId, arrived)));
    const deliveries: TaskTriggered[] = [];
    for (const delivery of arrived) {
      const { deliveryId, envelopeId } = delivery;
      const executionId = started?.get(deliveryId);
      const answer = executionId
        ? { outcome: 'TRIGGERED' as const, executionId }
        : started
          ? await this.run(tx, delivery)
          : ((await this.orNull(tx, () => this.run(tx, delivery))) ?? FAILED);
      deliveries.push({ deliveryId, spaceId, envelopeId, ...answer });
    }
    for (let from = 0; from < deliveries.length; from += ANSWERS_PER_EVENT)
      await tx.announce(TaskEvents.triggered, ctx, { deliveries: deliveries.slice(from, from + ANSWERS_PER_EVENT) });
  }

  /** Null when it failed, and nothing of it is left. Failures of the infrastructure are everybody's. */
  private async orNull<T>(tx: Tx, work: () => Promise<T>): Promise<T | null> {
    try {
      return await tx.attempt(work);
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') throw error;
      this.logger.error({ err: error }, 'failed to start deliveries');
      return null;
    }
  }

  /** One that has been here before, or whose task has to be looked at. */
  private async run(tx: Tx, message: TriggerTask): Promise<Pick<TaskTriggered, 'outcome' | 'executionId'>> {
    const { spaceId, deliveryId, trigger } = message;
    const { task, executionId: existing } = await this.tasks.findForDelivery(tx, spaceId, message.taskId, deliveryId);
    if (existing) return { outcome: 'TRIGGERED', executionId: existing };
    if (!task) return { outcome: 'FAILED', executionId: null };
    if (!task.active || task.type !== 'EVENT') return { outcome: 'SKIPPED', executionId: null };
    const row = await this.starter.start(tx, task, {
      kind: 'EVENT',
      inputs: { ...task.inputs, trigger },
      requestedBy: null,
      keyId: task.keyId,
      cause: { causationId: trigger.id, correlationId: trigger.correlationId, depth: trigger.depth },
      deliveryId,
    });
    const executionId = row?.id ?? (await this.executions.findOfDelivery(tx, spaceId, deliveryId))?.id ?? null;
    return { outcome: 'TRIGGERED', executionId };
  }
}
