import { Controller } from '@nestjs/common';
import {
  type ActivityEntry,
  type ActivityRange,
  ActivitySignals,
  type ActivitySlice,
  type Ctx,
  type Items,
  type Nothing,
  TaskActivityCalls,
  type StatusCount,
  type WatchedSpaces,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ExecutionActivity } from './execution-activity.service';

@Controller()
export class ActivityController {
  constructor(private readonly activity: ExecutionActivity) {}

  @Handles(TaskActivityCalls.list)
  list(data: ActivitySlice, ctx: Ctx): Promise<Items<ActivityEntry>> {
    return this.activity.owner.list(ctx, data);
  }

  @Handles(TaskActivityCalls.count)
  count(data: ActivityRange, ctx: Ctx): Promise<Items<StatusCount>> {
    return this.activity.owner.count(ctx, data);
  }

  @Handles(TaskActivityCalls.watch)
  async watch(data: WatchedSpaces): Promise<Nothing> {
    await this.activity.owner.onWatched(data);
    return {};
  }

  @Handles(ActivitySignals.watched)
  onWatched(data: WatchedSpaces): Promise<void> {
    return this.activity.owner.onWatched(data);
  }
}
