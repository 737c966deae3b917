import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { type Ctx, PageRequest, RelayCalls, UsageQuery, listOf } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { CreditBody, UsageRow, usageRow } from './usage.dto';

@Controller('api/usage')
export class UsageController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Endpoint({ summary: 'Tokens, cost and calls, grouped', calls: RelayCalls.usage, reply: listOf(UsageRow) })
  async usage(@Caller() ctx: Ctx, @Query() query: UsageQuery) {
    const { items } = await this.bus.call(RelayCalls.usage, ctx, query);
    return ok(
      'Usage.',
      items.map((row) => usageRow(query.groupBy ?? 'day', row)),
    );
  }

  @Get('balance')
  @Endpoint({ summary: 'The token balance of the Space', calls: RelayCalls.balance })
  async balance(@Caller() ctx: Ctx) {
    return ok('Balance.', await this.bus.call(RelayCalls.balance, ctx, {}));
  }

  @Post('credits')
  @Endpoint({ summary: 'Add tokens to the balance, or correct it', calls: RelayCalls.credit, status: 201 })
  async credit(@Caller() ctx: Ctx, @Body() { tokens, note }: CreditBody) {
    return ok('Balance changed.', await this.bus.call(RelayCalls.credit, ctx, { tokens, note }));
  }

  @Get('ledger')
  @Endpoint({ summary: 'Every change of the balance, newest first', calls: RelayCalls.ledger })
  async ledger(@Caller() ctx: Ctx, @Query() query: PageRequest) {
    return page('Ledger.', await this.bus.call(RelayCalls.ledger, ctx, query), query.limit);
  }
}
