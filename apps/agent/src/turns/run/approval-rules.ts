import { Injectable } from '@nestjs/common';
import { type ApprovalRule, type Ctx, KeyCalls } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { upToBytes } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import type { TurnSpec } from './turn-spec';

const FRESH_MS = 10_000;
const KEPT_BYTES = 16 * 1024 * 1024;

interface Known {
  rules: readonly ApprovalRule[];
  at: number;
}

/** Which calls of a turn need an approval: the rules of its agent and those of its Space, which no agent can loosen. */
@Injectable()
export class ApprovalRules {
  private readonly known = new LRUCache<string, Known>(upToBytes(KEPT_BYTES));
  private changes = 0;

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
  forget(spaceId: string): void {
    this.changes += 1;
    const known = this.known.get(spaceId);
    if (known) this.known.set(spaceId, { ...known, at: Number.NEGATIVE_INFINITY });
  }

  async rulesOfSpace(ctx: Ctx): Promise<readonly ApprovalRule[]> {
    const { spaceId } = ctx;
    if (spaceId === null) return [];
    const known = this.known.get(spaceId);
    if (known && performance.now() - known.at < FRESH_MS) return known.rules;
    const { changes } = this;
    try {
      const { approvals } = await this.bus.call(KeyCalls.getSpaceSettings, ctx, { spaceId });
      // What was announced meanwhile may be newer than this answer.
      const at = changes === this.changes ? performance.now() : Number.NEGATIVE_INFINITY;
      this.known.set(spaceId, { rules: approvals, at });
      return approvals;
    } catch (error) {
      if (!known) throw error;
      this.log.warn(
        { err: error, space: spaceId },
        'the approval rules of a Space could not be read; the last known ones hold',
      );
      return known.rules;
    }
  }
}
