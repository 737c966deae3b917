import type { EffectiveSettings } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { SpacePolicyCache } from '../known/space-policy-cache';

export interface SpaceLimit {
  setting: 'taskConcurrency' | 'jobConcurrency';
  /** For Spaces without a limit of their own. */
  fallback: number;
  /** For Spaces without a ceiling of their own: settings from before it was set may be over it. */
  ceiling: number;
}

/** How long work of a suspended Space rests until it is looked at again. */
export const SUSPENDED_REST_MS = 3_000;

/** How much a Space may have side by side. Nothing of it starts where nothing is known of it. */
export class SpaceConcurrencyLimits {
  constructor(
    private readonly policies: SpacePolicyCache,
    private readonly limit: SpaceLimit,
  ) {}

  /** Null where it has to be asked for. */
  find(spaceId: string): number | null {
    const policy = this.policies.of(spaceId);
    if (!(policy instanceof Promise)) return this.limitOf(policy);
    policy.catch(() => undefined);
    return null;
  }

  /** Null where nothing is known of the Space and the key service does not answer. */
  async of(spaceId: string): Promise<number | null> {
    const status = await this.policies.statusOf(spaceId);
    if (status === null) return null;
    try {
      return this.limitOf(await this.policies.of(spaceId));
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return this.limitOf({});
      return null;
    }
  }

  /** Nothing of a suspended Space starts, and what runs rests before its next step. The same where nothing is known. */
  async mayRun(spaceId: string): Promise<boolean> {
    return (await this.policies.statusOf(spaceId)) === 'ACTIVE';
  }

  onChange(listener: (spaceId: string) => void): void {
    this.policies.onChange(listener);
  }

  private limitOf(policy: Partial<EffectiveSettings>): number {
    const { setting, fallback, ceiling } = this.limit;
    const allowed = Math.min(policy[setting] ?? fallback, policy.ceilings?.[setting] ?? ceiling);
    return policy.status === 'SUSPENDED' ? 0 : allowed;
  }
}
