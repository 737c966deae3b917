import { Inject, Injectable } from '@nestjs/common';
import { type Ctx, type EventStats, type EventStatsRequest, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import type { Clock } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { EmissionStatsRepository } from '../db/emission-stats.repository';
import { viewerOf } from '../domain/envelope-audience';
import { byEvent, byStatus, overTime, statsWindow } from '../domain/emission-stats';

@Injectable()
export class EmissionStatsService {
  constructor(
    private readonly database: Database,
    private readonly stats: EmissionStatsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async of(ctx: Ctx, data: EventStatsRequest): Promise<EventStats> {
    const spaceId = requireSpace(ctx);
    const window = statsWindow(data, this.clock.now());
    return this.database.transaction(ctx, async (tx) => {
      const rows = await this.stats.count(tx, { spaceId, viewer: viewerOf(ctx) }, window);
      const { from, to, interval } = window;
      const oldestPendingAt = await this.stats.oldestPendingAt(tx, spaceId);
      return {
        from,
        to,
        interval,
        byStatus: byStatus(rows),
        byEvent: byEvent(rows),
        overTime: overTime(rows),
        oldestPendingAt,
      };
    });
  }
}
