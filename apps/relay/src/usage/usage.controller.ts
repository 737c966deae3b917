import { Controller } from '@nestjs/common';
import {
  BalanceView,
  CreditTokens,
  type Ctx,
  type Items,
  type KeyUsage,
  type KeyUsageQuery,
  LedgerRow,
  Nothing,
  type OfSpaces,
  type Page,
  PageRequest,
  RelayCalls,
  type SpaceTotals,
  UsageGroupRow,
  UsageQuery,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { UsageService } from './usage.service';

@Controller()
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Handles(RelayCalls.usage) group(data: UsageQuery, ctx: Ctx): Promise<Items<UsageGroupRow>> {
    return this.usage.usage(ctx, data);
  }

  @Handles(RelayCalls.keyUsage) ofKey(data: KeyUsageQuery, ctx: Ctx): Promise<KeyUsage> {
    return this.usage.keyUsage(ctx, data);
  }

  @Handles(RelayCalls.balance) balance(_: Nothing, ctx: Ctx): Promise<BalanceView> {
    return this.usage.balance(ctx);
  }

  @Handles(RelayCalls.credit) credit(data: CreditTokens, ctx: Ctx): Promise<LedgerRow> {
    return this.usage.creditOwn(ctx, data);
  }

  @Handles(RelayCalls.creditSpace) creditSpace(data: CreditTokens, ctx: Ctx): Promise<LedgerRow> {
    return this.usage.creditSpace(ctx, data);
  }

  @Handles(RelayCalls.spaceTotals) totals(data: OfSpaces): Promise<Items<SpaceTotals>> {
    return this.usage.totals(data);
  }

  @Handles(RelayCalls.ledger) ledger(data: PageRequest, ctx: Ctx): Promise<Page<LedgerRow>> {
    return this.usage.listLedger(ctx, data);
  }
}
