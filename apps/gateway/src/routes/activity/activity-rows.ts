import { Injectable } from '@nestjs/common';
import {
  type ActivityEntry,
  type ActivityRow,
  type Ctx,
  RelayActivityCalls,
  type TurnCost,
} from '@switchyard/contracts';
import { addCosts } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { AgentNames } from './agent-names';

interface Sum {
  tokens: number;
  cost: number;
}

/** Makes rows of what the services know: with what the ledger has charged, and with names. */
@Injectable()
export class ActivityRows {
  constructor(
    private readonly bus: Bus,
    private readonly names: AgentNames,
  ) {}

  async of(ctx: Ctx, entries: readonly ActivityEntry[]): Promise<ActivityRow[]> {
    const unnamed = entries.filter(({ name }) => name === null).flatMap(({ agentId }) => agentId ?? []);
    const [costs, names] = await Promise.all([this.costs(ctx, entries), this.names.of(ctx, unnamed)]);
    return entries.map((entry) => {
      const { key: _key, at: _at, turnIds: _turnIds, audience: _audience, ...record } = entry;
      const sum = entry.kind === 'emission' || costs === null ? null : sumOf(entry, costs);
      return {
        ...record,
        name: entry.name ?? (entry.agentId === null ? null : (names.get(entry.agentId) ?? null)),
        tokens: sum?.tokens ?? null,
        cost: sum?.cost ?? null,
      };
    });
  }

  /** Null while the ledger cannot be asked: rows without costs are better than none. */
  private async costs(ctx: Ctx, entries: readonly ActivityEntry[]): Promise<Map<string, TurnCost[]> | null> {
    const turnIds = [...new Set(entries.flatMap((entry) => entry.turnIds))];
    if (turnIds.length === 0) return new Map();
    try {
      const { items } = await this.bus.call(RelayActivityCalls.costsOfTurns, ctx, { turnIds });
      const byTurn = new Map<string, TurnCost[]>();
      for (const cost of items) byTurn.set(cost.turnId, [...(byTurn.get(cost.turnId) ?? []), cost]);
      return byTurn;
    } catch {
      return null;
    }
  }
}

function sumOf({ kind, userId, turnIds }: ActivityEntry, costs: ReadonlyMap<string, TurnCost[]>): Sum {
  const sum: Sum = { tokens: 0, cost: 0 };
  for (const cost of turnIds.flatMap((turnId) => costs.get(turnId) ?? [])) {
    // The id of a turn is the word of its user: another user may have used the same.
    if (kind === 'turn' && cost.userId !== userId) continue;
    sum.tokens += cost.tokens;
    sum.cost = addCosts(sum.cost, cost.cost);
  }
  return sum;
}
