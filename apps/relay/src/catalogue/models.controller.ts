import { Controller } from '@nestjs/common';
import {
  CountTokensRequest,
  type Ctx,
  type Items,
  ModelById,
  ModelView,
  RelayCalls,
  TokenCount,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ModelsService } from './models.service';

@Controller()
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Handles(RelayCalls.listModels) list(): Items<ModelView> {
    return this.models.list();
  }

  @Handles(RelayCalls.getModel) get(data: ModelById): ModelView {
    return this.models.get(data.id);
  }

  @Handles(RelayCalls.countTokens) count(data: CountTokensRequest, ctx: Ctx): Promise<TokenCount> {
    return this.models.count(ctx, data);
  }
}
