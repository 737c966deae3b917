import { Controller } from '@nestjs/common';
import {
  type CauseNode,
  type CausesQuery,
  type Ctx,
  type Items,
  type RecordToFind,
  TaskCauseCalls,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { CausesService } from './causes.service';

@Controller()
export class CausesController {
  constructor(private readonly service: CausesService) {}

  @Handles(TaskCauseCalls.find)
  find(data: RecordToFind, ctx: Ctx): Promise<Items<CauseNode>> {
    return this.service.find(ctx, data);
  }

  @Handles(TaskCauseCalls.list)
  list(data: CausesQuery, ctx: Ctx): Promise<Items<CauseNode>> {
    return this.service.list(ctx, data);
  }
}
