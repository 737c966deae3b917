import { Injectable } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { upToEntries } from '@switchyard/kernel';
import { Logger } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { ReachedLimitsRepository } from '../db/reached-limits.repository';
import { limitOf } from '../domain/reached-limits';

const HOUR_MS = 3_600_000;
/** Without a subscription it asks again: there may be one soon. */
const UNWATCHED_MS = 10_000;

/** Refusals by limits become events, at most one an hour and limit. A refusal does not wait for it. */
@Injectable()
export class ReachedLimits {
  private readonly quiet = new LRUCache<string, true>(upToEntries(20_000));

  constructor(
    private readonly database: Database,
    private readonly limits: ReachedLimitsRepository,
    private readonly logger: Logger,
  ) {}

  noteRefusal({ spaceId }: Ctx, error: unknown): void {
    const limit = limitOf(error);
    if (!limit || spaceId === null) return;
    const key = `${spaceId} ${limit.limit}`;
    if (this.quiet.has(key)) return;
    this.quiet.set(key, true, { ttl: UNWATCHED_MS });
    this.database
      .inSpace(spaceId, (tx) => this.limits.note(tx, spaceId, limit))
      .then((isWatched) => {
        if (isWatched) this.quiet.set(key, true, { ttl: HOUR_MS });
      })
      .catch((err: unknown) => {
        this.quiet.delete(key);
        this.logger.debug({ err, spaceId, limit: limit.limit }, 'failed to note a limit that was reached');
      });
  }
}
