import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type SetWatch } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { setWatch } from '../db/set-watch';

@Injectable()
export class WatchesService {
  constructor(private readonly database: Database) {}

  set(ctx: Ctx, watch: SetWatch): Promise<void> {
    return this.database.transaction(ctx, (tx) => setWatch(tx, requireSpace(ctx), watch));
  }
}
