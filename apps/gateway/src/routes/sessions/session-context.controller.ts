import { Body, Controller, Param, Post } from '@nestjs/common';
import { type Ctx, Nothing, SessionCalls } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { CompactionBody, ContextStatusBody } from './context-status.dto';
import { compactionBody, contextStatusBody } from './context-status.map';

@Controller('api/agents/:agentId/sessions/:sessionId')
export class SessionContextController {
  constructor(private readonly bus: Bus) {}

  @Post('context/status')
  @Endpoint({
    operationId: 'getSessionContext',
    summary: 'Read how full the model’s context is',
    calls: SessionCalls.contextStatus,
    reply: ContextStatusBody,
  })
  async status(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Param('sessionId', IdPipe) sessionId: string,
    @Body() _body: Nothing,
  ) {
    return ok(
      'Context status.',
      contextStatusBody(await this.bus.call(SessionCalls.contextStatus, ctx, { agentId, sessionId })),
    );
  }

  @Post('context/compact')
  @Endpoint({
    operationId: 'compactSessionContext',
    summary: 'Replace the older part of the model’s context by a summary; the transcript stays whole',
    calls: SessionCalls.compact,
    reply: CompactionBody,
  })
  async compact(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Param('sessionId', IdPipe) sessionId: string,
    @Body() _body: Nothing,
  ) {
    const result = await this.bus.call(SessionCalls.compact, ctx, { agentId, sessionId });
    return ok(result.compacted ? 'Context compacted.' : 'There was nothing to compact.', compactionBody(result));
  }
}
