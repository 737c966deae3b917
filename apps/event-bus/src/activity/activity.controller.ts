import { Controller } from '@nestjs/common';
import {
  type ActivityEntry,
  type ActivityRange,
  ActivitySignals,
  type ActivitySlice,
  type Ctx,
  type Items,
  type Nothing,
  EventBusActivityCalls,
  type StatusCount,
  type WatchedSpaces,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { EmissionActivity } from './emission-activity.service';

@Controller()
export class ActivityController {
  constructor(private readonly activity: EmissionActivity) {}

  @Handles(EventBusActivityCalls.list)
  list(data: ActivitySlice, ctx: Ctx): Promise<Items<ActivityEntry>> {
    return this.activity.owner.list(ctx, data);
  }

  @Handles(EventBusActivityCalls.count)
  count(data: ActivityRange, ctx: Ctx): Promise<Items<StatusCount>> {
    return this.activity.owner.count(ctx, data);
  }

  @Handles(EventBusActivityCalls.watch)
  async watch(data: WatchedSpaces): Promise<Nothing> {
    await this.activity.owner.onWatched(data);
    return {};
  }

  @Handles(ActivitySignals.watched)
  onWatched(data: WatchedSpaces): Promise<void> {
    return this.activity.owner.onWatched(data);
  }
}
