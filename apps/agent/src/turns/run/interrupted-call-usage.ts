import { Injectable } from '@nestjs/common';
import { RelayActivityCalls } from '@switchyard/contracts';
import { sleep } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { Usage } from '../../domain/turn-state';
import type { TurnSpec } from './turn-spec';

/** A cancelled turn ends within two seconds: calls that the relay has not settled by then are left out. */
const SETTLED_WITHIN_MS = 800;
const LOOK_EVERY_MS = 40;

/**
 * The charge for a turn whose last model call was interrupted. The call returned no usage; the relay settles it a
 * moment later by the output it had received.
 */
@Injectable()
export class InterruptedCallUsage {
  constructor(private readonly bus: Bus) {}

  /** `known` is the usage of the calls that were heard to their end. */
  async charged(spec: TurnSpec, known: Usage): Promise<Usage> {
    const end = Date.now() + SETTLED_WITHIN_MS;
    while (Date.now() < end) {
      const usage = await this.readCost(spec, end - Date.now());
      if (usage && usage.promptTokens + usage.completionTokens > known.promptTokens + known.completionTokens)
        return usage;
      await sleep(LOOK_EVERY_MS);
    }
    return known;
  }

  private async readCost({ ctx, facts }: TurnSpec, timeoutMs: number): Promise<Usage | null> {
    try {
      const request = { turnIds: [facts.turnId] };
      const { items } = await this.bus.call(RelayActivityCalls.costsOfTurns, ctx, request, {
        timeoutMs: Math.max(1, timeoutMs),
      });
      // A turn's id is unique for its user alone.
      const own = items.find(({ userId }) => userId === ctx.userId);
      if (!own) return null;
      return { promptTokens: own.promptTokens, completionTokens: own.tokens - own.promptTokens, cost: own.cost };
    } catch {
      return null;
    }
  }
}
