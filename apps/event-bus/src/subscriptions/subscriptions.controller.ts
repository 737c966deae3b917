import { Controller } from '@nestjs/common';
import {
  type ById,
  type CreateSubscription,
  type Ctx,
  type Deleted,
  EventBusCalls,
  type Items,
  type ListSubscriptions,
  type Page,
  type SubscriptionView,
  TaskEvents,
  type TaskNamed,
  type TestFilter,
  type TestedEmission,
  type UpdateSubscription,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { Handles } from '@switchyard/messaging';
import { SubscriptionsService } from './subscriptions.service';

@Controller()
export class SubscriptionsController {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  @Handles(EventBusCalls.createSubscription) create(data: CreateSubscription, ctx: Ctx): Promise<SubscriptionView> {
    return this.subscriptions.create(ctx, data);
  }

  @Handles(EventBusCalls.listSubscriptions) list(data: ListSubscriptions, ctx: Ctx): Promise<Page<SubscriptionView>> {
    return this.subscriptions.list(ctx, data);
  }

  @Handles(EventBusCalls.testFilter) testFilter(data: TestFilter, ctx: Ctx): Promise<Items<TestedEmission>> {
    return this.subscriptions.testFilter(ctx, data);
  }

  @Handles(EventBusCalls.getSubscription) get(data: ById, ctx: Ctx): Promise<SubscriptionView> {
    return this.subscriptions.get(ctx, data);
  }

  @Handles(EventBusCalls.updateSubscription) update(data: UpdateSubscription, ctx: Ctx): Promise<SubscriptionView> {
    return this.subscriptions.update(ctx, data);
  }

  @Handles(EventBusCalls.deleteSubscription) remove(data: ById, ctx: Ctx): Promise<Deleted> {
    return this.subscriptions.remove(ctx, data);
  }

  @Handles(TaskEvents.defaultTaken) onTaken({ taskId }: TaskNamed, ctx: Ctx, tx: Tx): Promise<void> {
    return this.subscriptions.giveToUser(tx, ctx, taskId);
  }

  @Handles(TaskEvents.removed) onTaskRemoved({ taskId }: TaskNamed, ctx: Ctx, tx: Tx): Promise<void> {
    return this.subscriptions.removeOfTask(tx, ctx, taskId);
  }
}
