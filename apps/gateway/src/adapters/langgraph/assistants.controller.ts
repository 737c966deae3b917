import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { AgentCalls, type Ctx, lending } from '@switchyard/contracts';
import { invalid, type JsonObject } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { callableAgents, type CallableAgent, MAX_CALLABLE } from '../../routes/agents/callable-agents';
import { Principals } from '../../auth/principals';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { SearchAssistants } from './langgraph.dto';
import { refuse } from './read-command';

const TAG = 'langgraph';

const assistantOf = ({ id, name, description, createdAt, updatedAt }: CallableAgent): JsonObject => ({
  assistant_id: id,
  graph_id: id,
  name,
  description: description ?? '',
  config: {},
  context: {},
  metadata: {},
  version: 1,
  created_at: createdAt,
  updated_at: updatedAt,
});

/** The agents that the caller may call, as assistants. */
@Controller('langgraph/assistants')
export class AssistantsController {
  constructor(
    private readonly bus: Bus,
    private readonly principals: Principals,
  ) {}

  @Post('search')
  @Endpoint({
    operationId: 'searchAssistants',
    summary: 'LangGraph assistants: the agents that the caller may call',
    description: `Among the first ${MAX_CALLABLE}. A key that is held to certain agents sees those alone.`,
    access: { scope: 'agents:call' },
    raw: true,
    tag: TAG,
  })
  async search(
    @Caller() ctx: Ctx,
    @Body() body: SearchAssistants,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject[]> {
    refuse({ metadata: body.metadata }, '', ['metadata']);
    const { graph_id: graph, limit = 10, offset = 0, select } = body;
    const part = body.name?.toLowerCase() ?? '';
    const by = body.sort_by ?? 'created_at';
    const sign = body.sort_order === 'asc' ? 1 : -1;
    const found = (await callableAgents(this.bus, this.principals, ctx))
      .filter(({ id, name }) => (!graph || id === graph.toLowerCase()) && name.toLowerCase().includes(part))
      .map(assistantOf)
      .sort((a, b) => sign * String(a[by]).localeCompare(String(b[by])));
    if (offset + limit < found.length) void reply.header('x-pagination-next', String(offset + limit));
    const page = found.slice(offset, offset + limit);
    if (!select || select.length === 0) return page;
    const unknown = select.find((name) => found[0] && !(name in found[0]));
    if (unknown !== undefined) throw invalid('select', `names ${unknown}, which assistants do not have`);
    return page.map((each) => Object.fromEntries(select.map((name) => [name, each[name]])));
  }

  @Get(':assistantId')
  @Endpoint({
    operationId: 'getAssistant',
    summary: 'LangGraph assistants: one agent',
    access: { scope: 'agents:call' },
    raw: true,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    tag: TAG,
  })
  async get(@Caller() ctx: Ctx, @Param('assistantId', IdPipe) agentId: string): Promise<JsonObject> {
    await this.bus.call(AgentCalls.checkCallable, ctx, { agentId });
    return assistantOf(await this.bus.call(AgentCalls.get, lending(ctx, AgentCalls.get), { agentId }));
  }
}
