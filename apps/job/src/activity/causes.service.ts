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
import { JobCausesRepository } from '../db/job-causes.repository';

@Injectable()
export class CausesService {
  constructor(
    private readonly database: Database,
    private readonly causes: JobCausesRepository,
  ) {}

  find(ctx: Ctx, { id }: RecordToFind): Promise<Items<CauseNode>> {
    return this.database.transaction(ctx, async (tx) => ({
      items: await this.causes.list(tx, requireSpace(ctx), [id]),
    }));
  }

  list(ctx: Ctx, { roots }: CausesQuery): Promise<Items<CauseNode>> {
    return this.database.transaction(ctx, async (tx) => ({
      items: await this.causes.list(tx, requireSpace(ctx), roots),
    }));
  }
}
