import { KeyCalls, type ServiceName, actAs, serviceCtx } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import { upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

const FRESH_MS = 3_000;

export interface SpaceLimit {
  service: ServiceName;
  setting: 'taskConcurrency' | 'jobConcurrency';
  /** For Spaces without a limit of their own. */
  fallback: number;
  /** The operator's: settings from before it was set may be over it. */
  ceiling: number;
}

/** How much a Space may have side by side. If the key service does not answer, the last known limit holds. */
export class SpaceLimits {
  private readonly known = new LRUCache<string, { limit: number; at: number }>(upToEntries(10_000));
  private readonly listeners: ((spaceId: string) => void)[] = [];
  private changes = 0;

  constructor(
    private readonly bus: Bus,
    private readonly limit: SpaceLimit,
  ) {}

  /** Null where it has to be asked for. */
  find(spaceId: string): number | null {
    const known = this.known.get(spaceId);
    return known && performance.now() - known.at < FRESH_MS ? known.limit : null;
  }

  async of(spaceId: string): Promise<number> {
    const fresh = this.find(spaceId);
    if (fresh !== null) return fresh;
    const { changes } = this;
    const { fallback, ceiling } = this.limit;
    const last = this.known.get(spaceId)?.limit ?? fallback;
    const limit = Math.min(await this.ask(spaceId).catch(() => last), ceiling);
    // What was announced meanwhile may be newer than this answer.
    this.known.set(spaceId, { limit, at: this.changes === changes ? performance.now() : -Infinity });
    return limit;
  }

  onChange(listener: (spaceId: string) => void): void {
    this.listeners.push(listener);
  }

  /** The Space's settings have changed: the next one to need them asks. */
  forget(spaceId: string): void {
    this.changes += 1;
    const known = this.known.get(spaceId);
    if (known) this.known.set(spaceId, { ...known, at: -Infinity });
    for (const listener of this.listeners) listener(spaceId);
  }

  private async ask(spaceId: string): Promise<number> {
    const { service, setting, fallback } = this.limit;
    const ctx = actAs(serviceCtx(service), { spaceId });
    const settings = await this.bus.call(KeyCalls.getSpaceSettings, ctx, { spaceId }, { timeoutMs: 2_000 });
    return settings[setting] ?? fallback;
  }
}
