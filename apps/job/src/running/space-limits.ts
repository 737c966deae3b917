import { Injectable } from '@nestjs/common';
import { KeyCalls, actAs, serviceCtx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';
import { JobConfig } from '../job.config';

const FRESH_MS = 3_000;

/** How many jobs a Space may have side by side. With nobody to ask, what was known last goes on to hold. */
@Injectable()
export class SpaceLimits {
  private readonly known = new LRUCache<string, { limit: number; at: number }>({ max: 10_000 });

  constructor(
    private readonly bus: Bus,
    private readonly config: JobConfig,
  ) {}

  async of(spaceId: string): Promise<number> {
    const known = this.known.get(spaceId);
    if (known && performance.now() - known.at < FRESH_MS) return known.limit;
    const limit = await this.ask(spaceId).catch(() => known?.limit ?? this.config.JOB_SPACE_CONCURRENCY);
    this.known.set(spaceId, { limit, at: performance.now() });
    return limit;
  }

  private async ask(spaceId: string): Promise<number> {
    const settings = await this.bus.call(
      KeyCalls.getSpaceSettings,
      actAs(serviceCtx('job'), { spaceId }),
      { spaceId },
      { timeoutMs: 2_000 },
    );
    return settings.jobConcurrency ?? this.config.JOB_SPACE_CONCURRENCY;
  }
}
