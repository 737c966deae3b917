import { Controller } from '@nestjs/common';
import {
  type ChangeOperatorSpace,
  type CreateOperatorSpace,
  type CreditSpace,
  type Ctx,
  type InSpace,
  type Items,
  KeyCalls,
  type LedgerRow,
  type ListOperatorSpaces,
  type Nothing,
  type OperatorSpaceView,
  type Page,
  type ReportTotals,
  type SpaceIds,
  type SpaceName,
  type SuspendSpace,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { OperatorCredits } from './operator-credits.service';
import { OperatorSpaces } from './operator-spaces.service';

@Controller()
export class OperatorSpacesController {
  constructor(
    private readonly spaces: OperatorSpaces,
    private readonly credits: OperatorCredits,
  ) {}

  @Handles(KeyCalls.listOperatorSpaces)
  list(data: ListOperatorSpaces, ctx: Ctx): Promise<Page<OperatorSpaceView>> {
    return this.spaces.list(ctx, data);
  }

  @Handles(KeyCalls.createOperatorSpace)
  create(data: CreateOperatorSpace, ctx: Ctx): Promise<OperatorSpaceView> {
    return this.spaces.create(ctx, data);
  }

  @Handles(KeyCalls.getOperatorSpace)
  get(data: InSpace, ctx: Ctx): Promise<OperatorSpaceView> {
    return this.spaces.get(ctx, data.spaceId);
  }

  @Handles(KeyCalls.changeOperatorSpace)
  change(data: ChangeOperatorSpace, ctx: Ctx): Promise<OperatorSpaceView> {
    return this.spaces.change(ctx, data);
  }

  @Handles(KeyCalls.suspendSpace)
  suspend(data: SuspendSpace, ctx: Ctx): Promise<OperatorSpaceView> {
    return this.spaces.suspend(ctx, data);
  }

  @Handles(KeyCalls.resumeSpace)
  resume(data: InSpace, ctx: Ctx): Promise<OperatorSpaceView> {
    return this.spaces.resume(ctx, data.spaceId);
  }

  @Handles(KeyCalls.creditSpace)
  credit(data: CreditSpace, ctx: Ctx): Promise<LedgerRow> {
    return this.credits.credit(ctx, data);
  }

  @Handles(KeyCalls.reportTotals)
  async note(data: ReportTotals): Promise<Nothing> {
    await this.spaces.note(data);
    return {};
  }

  @Handles(KeyCalls.nameSpaces)
  async names(data: SpaceIds): Promise<Items<SpaceName>> {
    return { items: await this.spaces.names(data.ids) };
  }
}
