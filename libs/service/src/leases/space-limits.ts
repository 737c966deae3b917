import type { EffectiveSettings } from '@switchyard/contracts';
import { upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import type { SpacePolicies } from '../known/space-policies';

export interface SpaceLimit {
  setting: 'taskConcurrency' | 'jobConcurrency';
  /** For Spaces without a limit of their own. */
  fallback: number;
  /** For Spaces without a ceiling of their own: settings from before it was set may be over it. */
  ceiling: number;
}

/** While the key service does not answer, it is not asked about the same Space by every round. */
const UNANSWERED_MS = 5_000;
/** How long work of a suspended Space rests until it is looked at again. */
export const SUSPENDED_REST_MS = 3_000;

/** How much a Space may have side by side. If the key service does not answer, the last known limit holds. */
export class SpaceLimits {
  private readonly last = new LRUCache<string, number>(upToEntries(10_000));
  private readonly unanswered = new LRUCache<string, true>({ ...upToEntries(10_000), ttl: UNANSWERED_MS });

  constructor(
    private readonly policies: SpacePolicies,
    private readonly limit: SpaceLimit,
  ) {}

  /** Null where it has to be asked for. */
  find(spaceId: string): number | null {
    if (this.unanswered.has(spaceId)) return this.lastOf(spaceId);
    const policy = this.policies.of(spaceId);
    if (!(policy instanceof Promise)) return this.note(spaceId, policy);
    policy.catch(() => undefined);
    return null;
  }

  async of(spaceId: string): Promise<number> {
    if (this.unanswered.has(spaceId)) return this.lastOf(spaceId);
    try {
      return this.note(spaceId, await this.policies.of(spaceId));
    } catch {
      this.unanswered.set(spaceId, true);
      return this.lastOf(spaceId);
    }
  }

  /** Nothing of a suspended Space starts, and what runs rests before its next step. */
  async isSuspended(spaceId: string): Promise<boolean> {
    if (this.unanswered.has(spaceId)) return this.last.get(spaceId) === 0;
    try {
      const policy = this.policies.of(spaceId);
      return (policy instanceof Promise ? await policy : policy).status === 'SUSPENDED';
    } catch {
      this.unanswered.set(spaceId, true);
      return this.last.get(spaceId) === 0;
    }
  }

  onChange(listener: (spaceId: string) => void): void {
    this.policies.onChange((spaceId) => {
      this.unanswered.delete(spaceId);
      listener(spaceId);
    });
  }

  private lastOf(spaceId: string): number {
    return this.last.get(spaceId) ?? Math.min(this.limit.fallback, this.limit.ceiling);
  }

  private note(spaceId: string, policy: EffectiveSettings): number {
    const { setting, fallback, ceiling } = this.limit;
    const allowed = Math.min(policy[setting] ?? fallback, policy.ceilings?.[setting] ?? ceiling);
    const limit = policy.status === 'SUSPENDED' ? 0 : allowed;
    this.last.set(spaceId, limit);
    return limit;
  }
}
