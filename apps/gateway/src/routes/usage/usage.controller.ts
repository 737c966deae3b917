import { Controller, Get, Query } from '@nestjs/common';
import { type Ctx, RelayCalls, UsageQuery, listOf } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { UsageRow, usageRow } from './usage.dto';

@Controller('api/usage')
export class UsageController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Endpoint({
    operationId: 'getUsage',
    summary: 'Tokens, cost and calls, grouped',
    calls: RelayCalls.usage,
    reply: listOf(UsageRow),
  })
  async usage(@Caller() ctx: Ctx, @Query() query: UsageQuery) {
    const { items } = await this.bus.call(RelayCalls.usage, ctx, query);
    return ok(
      'Usage.',
      items.map((row) => usageRow(query.groupBy ?? 'day', row)),
    );
  }
}
