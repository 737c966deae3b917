import { Injectable } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import type { ReachedLimit } from '@switchyard/kernel';
import { ReachedLimitReports } from '@switchyard/service';
import { ReachedLimitsRepository } from '../db/reached-limits.repository';

/** Refusals by limits of all services become events, at most one an hour and limit. */
@Injectable()
export class ReachedLimits {
  constructor(
    private readonly database: Database,
    private readonly limits: ReachedLimitsRepository,
    private readonly reports: ReachedLimitReports,
  ) {
    reports.sendWith((spaceId, limit) => this.note(spaceId, limit));
  }

  noteRefusal({ spaceId }: Ctx, error: unknown): void {
    this.reports.reportRefusal(spaceId, error);
  }

  /** Returns whether a subscription of the Space wants the event. */
  note(spaceId: string, limit: ReachedLimit): Promise<boolean> {
    return this.database.inSpace(spaceId, (tx) => this.limits.note(tx, spaceId, limit));
  }
}
