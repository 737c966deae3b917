import { Controller } from '@nestjs/common';
import { type Ctx, DatasetCalls, Nothing, type SetWatch } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { WatchesService } from './watches.service';

@Controller()
export class WatchesController {
  constructor(private readonly watches: WatchesService) {}

  @Handles(DatasetCalls.setWatch)
  async setWatch(data: SetWatch, ctx: Ctx): Promise<Nothing> {
    await this.watches.set(ctx, data);
    return new Nothing();
  }
}
