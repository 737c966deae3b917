import { Injectable } from '@nestjs/common';
import { type ApprovalRule, type Ctx, KeyCalls } from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import type { TurnSpec } from './turn-spec';

/** While the key service does not answer, the last rules of a Space are used. */
const AGES = { freshMs: 10_000, staleMs: Infinity };

/** Which calls of a turn need an approval: the rules of its agent and those of its Space, which no agent can loosen. */
@Injectable()
export class ApprovalRules {
  private readonly cache = new RefreshingCache<readonly ApprovalRule[]>(AGES);

  constructor(
    private readonly bus: Bus,
    private readonly log: Logger,
  ) {}

  /** Throws where the Space's rules are not known and cannot be read: without them nothing may run. */
  async rulesFor(spec: TurnSpec): Promise<readonly ApprovalRule[]> {
    if (spec.tools.definitions.length === 0) return [];
    const ofSpace = await this.rulesOfSpace(spec.ctx);
    return ofSpace.length === 0 ? spec.agent.approvals : [...spec.agent.approvals, ...ofSpace];
  }

  /** The Space's settings have changed. */
  invalidate(spaceId: string): void {
    // Not the older ones if the new ones cannot be read: a call that now needs an approval must not run without.
    this.cache.delete(spaceId);
  }

  async rulesOfSpace(ctx: Ctx): Promise<readonly ApprovalRule[]> {
    const { spaceId } = ctx;
    if (spaceId === null) return [];
    return this.cache.get(spaceId, async (hasOlder) => {
      try {
        return (await this.bus.call(KeyCalls.getSpaceSettings, { ...ctx, deadline: 0 }, { spaceId })).approvals;
      } catch (error) {
        if (hasOlder)
          this.log.warn(
            { err: error, space: spaceId },
            'failed to load the approval rules of a Space; using the last loaded ones',
          );
        throw error;
      }
    });
  }
}
