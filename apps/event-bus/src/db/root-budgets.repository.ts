import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { ROOT_BUDGET } from '../domain/loop-guard';

/** How many runs each root emission has led to, counted in the transactions that start them. */
@Injectable()
export class RootBudgetsRepository {
  /**
   * Takes `matches` runs off the budget, all or none; null when they do not fit. Runs started by the root itself count
   * first.
   */
  async take(tx: Tx, spaceId: string, rootId: string, matches: number): Promise<{ taken: boolean; runs: number }> {
    await tx.prepared(
      'open-root-budget',
      `insert into root_budgets (space_id, id, runs)
       values ($1, $2, coalesce((select matched_subscriptions from emissions where space_id = $1 and id = $2), 0))
       on conflict do nothing`,
      [spaceId, rootId],
    );
    const [row] = await tx.prepared<{ before: number }>(
      'take-root-budget',
      'select runs as before from root_budgets where space_id = $1 and id = $2 for update',
      [spaceId, rootId],
    );
    const runs = row?.before ?? 0;
    if (runs + matches > ROOT_BUDGET) return { taken: false, runs };
    await tx.prepared('count-root-runs', 'update root_budgets set runs = runs + $3 where space_id = $1 and id = $2', [
      spaceId,
      rootId,
      matches,
    ]);
    return { taken: true, runs };
  }

  /** A replay is an operator's decision: its chain begins with a budget of its own. */
  async restart(tx: Tx, spaceId: string, rootId: string, runs: number): Promise<void> {
    await tx.run(
      `insert into root_budgets (space_id, id, runs) values ($1, $2, $3)
       on conflict (space_id, id) do update set runs = excluded.runs`,
      [spaceId, rootId, runs],
    );
  }
}
