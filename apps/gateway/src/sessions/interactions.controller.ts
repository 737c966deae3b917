import { Controller, Get, Query } from '@nestjs/common';
import { AgentCalls, type Ctx, ListInteractions } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';

@Controller('api/interactions')
export class InteractionsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Endpoint({
    summary: 'List the questions and approvals of the Space that the caller may answer',
    calls: AgentCalls.listInteractions,
  })
  async list(@Caller() ctx: Ctx, @Query() query: ListInteractions) {
    return page('Interactions.', await this.bus.call(AgentCalls.listInteractions, ctx, query), query.limit);
  }
}
