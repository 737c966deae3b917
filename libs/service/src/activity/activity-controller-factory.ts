import { Controller, Inject, type Type } from '@nestjs/common';
import {
  type ActivityEntry,
  type ActivityOwnerCalls,
  type ActivityRange,
  ActivitySignals,
  type ActivitySlice,
  type Ctx,
  type Items,
  type Nothing,
  type StatusCount,
  type WatchedSpaces,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';

interface OwnsActivity {
  readonly owner: {
    list(ctx: Ctx, slice: ActivitySlice): Promise<Items<ActivityEntry>>;
    count(ctx: Ctx, range: ActivityRange): Promise<Items<StatusCount>>;
    onWatched(spaces: WatchedSpaces): Promise<void>;
    onStillWatched(spaces: WatchedSpaces): Promise<void>;
  };
}

/** Handlers of a service that owns a kind of activity. `owning` is its provider. */
export function activityController(calls: ActivityOwnerCalls, owning: Type<OwnsActivity>): Type {
  @Controller()
  class ActivityController {
    constructor(@Inject(owning) private readonly activity: OwnsActivity) {}

    @Handles(calls.list)
    list(data: ActivitySlice, ctx: Ctx): Promise<Items<ActivityEntry>> {
      return this.activity.owner.list(ctx, data);
    }

    @Handles(calls.count)
    count(data: ActivityRange, ctx: Ctx): Promise<Items<StatusCount>> {
      return this.activity.owner.count(ctx, data);
    }

    @Handles(calls.watch)
    async watch(data: WatchedSpaces): Promise<Nothing> {
      await this.activity.owner.onWatched(data);
      return {};
    }

    @Handles(ActivitySignals.watched)
    onStillWatched(data: WatchedSpaces): Promise<void> {
      return this.activity.owner.onStillWatched(data);
    }
  }
  return ActivityController;
}
