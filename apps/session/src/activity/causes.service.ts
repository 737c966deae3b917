import { Injectable } from '@nestjs/common';
import {
  type CauseNode,
  type CausesQuery,
  type Ctx,
  type Items,
  type RecordToFind,
  requireSpace,
} from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { turnCauses } from '../db/turn-causes.repository';

@Injectable()
export class CausesService {
  constructor(private readonly database: Database) {}

  find(ctx: Ctx, { id }: RecordToFind): Promise<Items<CauseNode>> {
    return this.database.transaction(ctx, async (tx) => ({
      items: await turnCauses.find(tx, requireSpace(ctx), id, ctx.userId),
    }));
  }

  list(ctx: Ctx, { roots, correlations }: CausesQuery): Promise<Items<CauseNode>> {
    return this.database.transaction(ctx, async (tx) => ({
      items: await turnCauses.list(tx, requireSpace(ctx), roots, correlations),
    }));
  }
}
