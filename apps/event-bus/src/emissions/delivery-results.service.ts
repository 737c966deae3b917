import { Injectable } from '@nestjs/common';
import { type Ctx, type TasksTriggered, requireSpace } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { DeliveriesRepository } from '../db/deliveries.repository';

@Injectable()
export class DeliveryResultsService {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  /** The task service has answered. It answers every arrival, so a later answer may come: the first one stands. */
  settle(tx: Tx, ctx: Ctx, { deliveries }: TasksTriggered): Promise<void> {
    return this.deliveries.settle(tx, requireSpace(ctx), deliveries);
  }
}
