import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type Items,
  MAX_CAUSE_NODES,
  type CauseNode,
  type ModelCallNodes,
  type ModelCallsQuery,
  type TurnCost,
  type TurnsSum,
  type TurnsToCost,
  requireSpace,
} from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { TurnCostsRepository } from '../db/turn-costs.repository';
import { LedgerWriter } from '../metering/ledger-writer';

@Injectable()
export class TurnCostsService {
  constructor(
    private readonly database: Database,
    private readonly costs: TurnCostsRepository,
    private readonly ledgerWriter: LedgerWriter,
  ) {}

  async costsOfTurns(ctx: Ctx, { turnIds }: TurnsToCost): Promise<Items<TurnCost>> {
    await this.ledgerWriter.flushed();
    const answers = await this.database.read(ctx, [this.costs.ofTurns(requireSpace(ctx), turnIds)]);
    return { items: this.costs.rows(answers) };
  }

  async modelCalls(ctx: Ctx, { turnIds }: ModelCallsQuery): Promise<ModelCallNodes> {
    await this.ledgerWriter.flushed();
    const reads = this.costs.callsOfTurns(requireSpace(ctx), turnIds, MAX_CAUSE_NODES + 1);
    const [calls = [], [sum] = []] = await this.database.read(ctx, reads);
    const items = (calls as unknown as LedgerCall[]).map(callNode);
    return { items, ...sumOf(sum) };
  }

  async sumOfTurns(ctx: Ctx, { turnIds }: ModelCallsQuery): Promise<TurnsSum> {
    await this.ledgerWriter.flushed();
    const [[sum] = []] = await this.database.read(ctx, [this.costs.sumOfTurns(requireSpace(ctx), turnIds)]);
    return sumOf(sum);
  }
}

const sumOf = (sum: Record<string, unknown> | undefined): TurnsSum => ({
  tokens: Number(sum?.['tokens'] ?? 0),
  cost: Number(sum?.['cost'] ?? 0),
});

interface LedgerCall {
  id: string;
  turnId: string;
  userId: string | null;
  model: string | null;
  outcome: string | null;
  createdAt: string;
  tokens: number;
  cost: number;
}

/** Whose node it hangs under, the gateway finds by the turn. */
const callNode = ({ id, turnId, userId, model, outcome, createdAt, tokens, cost }: LedgerCall): CauseNode => ({
  key: `model_call:${id}`,
  parentKey: null,
  kind: 'model_call',
  id,
  name: model,
  status: outcome,
  startedAt: null,
  finishedAt: createdAt,
  userId,
  correlationId: null,
  root: null,
  turnIds: [turnId],
  tokens,
  cost,
});
