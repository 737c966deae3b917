import { Controller } from '@nestjs/common';
import { type CauseNode, type CausesQuery, type Ctx, type Items, DatasetCauseCalls } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { CausesService } from './causes.service';

@Controller()
export class CausesController {
  constructor(private readonly service: CausesService) {}

  @Handles(DatasetCauseCalls.list)
  list(data: CausesQuery, ctx: Ctx): Promise<Items<CauseNode>> {
    return this.service.list(ctx, data);
  }
}
