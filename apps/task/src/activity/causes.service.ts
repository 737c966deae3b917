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
import { ExecutionCausesRepository } from '../db/execution-causes.repository';

@Injectable()
export class CausesService {
  constructor(
    private readonly database: Database,
    private readonly causes: ExecutionCausesRepository,
  ) {}

  find(ctx: Ctx, { id }: RecordToFind): Promise<Items<CauseNode>> {
    return this.database.transaction(ctx, async (tx) => ({ items: await this.causes.find(tx, requireSpace(ctx), id) }));
  }

  list(ctx: Ctx, { roots, correlations }: CausesQuery): Promise<Items<CauseNode>> {
    return this.database.transaction(ctx, async (tx) => ({
      items: await this.causes.list(tx, requireSpace(ctx), roots, correlations),
    }));
  }
}
