import { Injectable } from '@nestjs/common';
import {
  ACTIVITY_OWNERS,
  type ActivityCount,
  type ActivityFilter,
  type ActivityRange,
  type ActivityRow,
  type Ctx,
  DEFAULT_PAGE,
  type Page,
} from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { readableKinds } from './activity-access';
import { cursorOf, newestFirst, positionOf } from './activity-cursor';
import { ActivityRows } from './activity-rows';

/** Merges what the services answer, each for the kind that it owns. */
@Injectable()
export class ActivityReader {
  constructor(
    private readonly bus: Bus,
    private readonly rows: ActivityRows,
  ) {}

  /** All services return the rows behind the same position, so rows that this page lacks are on the next one. */
  async list(ctx: Ctx, filter: ActivityFilter): Promise<Page<ActivityRow>> {
    checkRange(filter);
    const limit = filter.limit ?? DEFAULT_PAGE;
    const before = positionOf(filter.cursor);
    const slice = {
      limit: limit + 1,
      ...(filter.userId === undefined ? {} : { userId: filter.userId }),
      ...(filter.from === undefined ? {} : { from: filter.from }),
      ...(filter.to === undefined ? {} : { to: filter.to }),
      ...(before === null ? {} : { beforeAt: before.at, beforeKey: before.key }),
    };
    const answers = await Promise.all(
      [...readableKinds(ctx, filter)].map(([kind, statuses]) =>
        this.bus.call(ACTIVITY_OWNERS[kind].list, ctx, { ...slice, statuses }),
      ),
    );
    const found = answers.flatMap(({ items }) => items).sort(newestFirst);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: await this.rows.of(ctx, shown),
      nextCursor: found.length > limit && last ? cursorOf(last) : null,
    };
  }

  async counts(ctx: Ctx, range: ActivityRange): Promise<ActivityCount[]> {
    checkRange(range);
    const answers = await Promise.all(
      [...readableKinds(ctx, {}).keys()].map(async (kind) => {
        const { items } = await this.bus.call(ACTIVITY_OWNERS[kind].count, ctx, range);
        return items.map(({ status, count }) => ({ kind, status, count }));
      }),
    );
    return answers.flat();
  }
}

function checkRange({ from, to }: ActivityRange): void {
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
    throw invalid('to', 'must not be before from');
}
