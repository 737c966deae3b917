import { KeyCalls, type ServiceName, actAs, serviceCtx } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';

const FRESH_MS = 3_000;

export interface SpaceLimit {
  service: ServiceName;
  setting: 'taskConcurrency' | 'jobConcurrency';
  /** For Spaces without a limit of their own. */
  fallback: number;
}

/** How much a Space may have side by side. With nobody to ask, what was known last goes on to hold. */
export class SpaceLimits {
  private readonly known = new LRUCache<string, { limit: number; at: number }>({ max: 10_000 });
  private changes = 0;

  constructor(
    private readonly bus: Bus,
    private readonly limit: SpaceLimit,
  ) {}

  async of(spaceId: string): Promise<number> {
    const known = this.known.get(spaceId);
    if (known && performance.now() - known.at < FRESH_MS) return known.limit;
    const { changes } = this;
    const limit = await this.ask(spaceId).catch(() => known?.limit ?? this.limit.fallback);
    // What was announced meanwhile may be newer than this answer.
    this.known.set(spaceId, { limit, at: this.changes === changes ? performance.now() : -Infinity });
    return limit;
  }

  /** The Space's settings have changed: the next one to need them asks. */
  forget(spaceId: string): void {
    this.changes += 1;
    const known = this.known.get(spaceId);
    if (known) this.known.set(spaceId, { ...known, at: -Infinity });
  }

  private async ask(spaceId: string): Promise<number> {
    const { service, setting, fallback } = this.limit;
    const ctx = actAs(serviceCtx(service), { spaceId });
    const settings = await this.bus.call(KeyCalls.getSpaceSettings, ctx, { spaceId }, { timeoutMs: 2_000 });
    return settings[setting] ?? fallback;
  }
}
