import { Controller } from '@nestjs/common';
import {
  type ActivityEntry,
  type ActivityRange,
  ActivitySignals,
  type ActivitySlice,
  type Ctx,
  type Items,
  type Nothing,
  JobActivityCalls,
  type StatusCount,
  type WatchedSpaces,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { JobActivity } from './job-activity.service';

@Controller()
export class ActivityController {
  constructor(private readonly activity: JobActivity) {}

  @Handles(JobActivityCalls.list)
  list(data: ActivitySlice, ctx: Ctx): Promise<Items<ActivityEntry>> {
    return this.activity.owner.list(ctx, data);
  }

  @Handles(JobActivityCalls.count)
  count(data: ActivityRange, ctx: Ctx): Promise<Items<StatusCount>> {
    return this.activity.owner.count(ctx, data);
  }

  @Handles(JobActivityCalls.watch)
  async watch(data: WatchedSpaces): Promise<Nothing> {
    await this.activity.owner.onWatched(data);
    return {};
  }

  @Handles(ActivitySignals.watched)
  onWatched(data: WatchedSpaces): Promise<void> {
    return this.activity.owner.onWatched(data);
  }
}
