import { Controller, Get, Param } from '@nestjs/common';
import { AgentCalls, type AgentView, type Ctx, lending } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { callableAgents, MAX_CALLABLE } from '../../routes/agents/callable-agents';
import { Principals } from '../../auth/principals';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { agentIdOf } from './openai-turns';

const modelOf = ({ id, name, createdAt }: Pick<AgentView, 'id' | 'name' | 'createdAt'>): JsonObject => ({
  id,
  object: 'model',
  created: Math.floor((Date.parse(createdAt) || 0) / 1000),
  owned_by: 'switchyard',
  name,
});

/** The agents that the caller may call, as models. */
@Controller('openai/v1/models')
export class ModelsController {
  constructor(
    private readonly bus: Bus,
    private readonly principals: Principals,
  ) {}

  @Get()
  @Endpoint({
    operationId: 'listModels',
    summary: 'OpenAI models: the agents that the caller may call',
    description: `The first ${MAX_CALLABLE}. A key that is held to certain agents sees those alone.`,
    access: { scope: 'agents:call' },
    raw: true,
    openai: true,
    tag: 'openai',
  })
  async list(@Caller() ctx: Ctx): Promise<JsonObject> {
    return { object: 'list', data: (await callableAgents(this.bus, this.principals, ctx)).map(modelOf) };
  }

  @Get(':model')
  @Endpoint({
    operationId: 'getModel',
    summary: 'OpenAI models: one agent',
    access: { scope: 'agents:call' },
    raw: true,
    openai: true,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    tag: 'openai',
  })
  async get(@Caller() ctx: Ctx, @Param('model') model: string): Promise<JsonObject> {
    const agentId = agentIdOf(model);
    await this.bus.call(AgentCalls.checkCallable, ctx, { agentId });
    return modelOf(await this.bus.call(AgentCalls.get, lending(ctx, AgentCalls.get), { agentId }));
  }
}
