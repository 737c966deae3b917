import { Injectable } from '@nestjs/common';
import { type CauseNode, type CausesQuery, type Ctx, type Items, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { WriteCausesRepository } from '../db/write-causes.repository';

@Injectable()
export class CausesService {
  constructor(
    private readonly database: Database,
    private readonly causes: WriteCausesRepository,
  ) {}

  list(ctx: Ctx, { roots, correlations }: CausesQuery): Promise<Items<CauseNode>> {
    return this.database.transaction(ctx, async (tx) => ({
      items: await this.causes.list(tx, requireSpace(ctx), roots, correlations),
    }));
  }
}
