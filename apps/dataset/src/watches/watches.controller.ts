import { Controller } from '@nestjs/common';
import { type Ctx, DatasetCalls, Nothing, requireSpace, type SetWatch } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { Handles } from '@switchyard/messaging';
import { setWatch } from '../db/watch.repository';

@Controller()
export class WatchesController {
  constructor(private readonly database: Database) {}

  @Handles(DatasetCalls.setWatch)
  async setWatch(data: SetWatch, ctx: Ctx): Promise<Nothing> {
    await this.database.transaction(ctx, (tx) => setWatch(tx, requireSpace(ctx), data));
    return new Nothing();
  }
}
