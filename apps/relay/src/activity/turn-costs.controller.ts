import { Controller } from '@nestjs/common';
import {
  type Ctx,
  type Items,
  type ModelCallNodes,
  type ModelCallsQuery,
  type TurnCost,
  type TurnsSum,
  type TurnsToCost,
  RelayActivityCalls,
  RelayCauseCalls,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { TurnCostsService } from './turn-costs.service';

@Controller()
export class TurnCostsController {
  constructor(private readonly service: TurnCostsService) {}

  @Handles(RelayActivityCalls.costsOfTurns)
  costsOfTurns(data: TurnsToCost, ctx: Ctx): Promise<Items<TurnCost>> {
    return this.service.costsOfTurns(ctx, data);
  }

  @Handles(RelayCauseCalls.modelCalls)
  modelCalls(data: ModelCallsQuery, ctx: Ctx): Promise<ModelCallNodes> {
    return this.service.modelCalls(ctx, data);
  }

  @Handles(RelayCauseCalls.sumOfTurns)
  sumOfTurns(data: ModelCallsQuery, ctx: Ctx): Promise<TurnsSum> {
    return this.service.sumOfTurns(ctx, data);
  }
}
