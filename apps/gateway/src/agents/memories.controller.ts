import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { AgentCalls, type Ctx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';
import { MemoryCorrection, MemoryPageRequest } from './memories.dto';

@Controller('api/agents/:agentId/memories')
export class MemoriesController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Endpoint({
    summary: 'List what an agent remembers about the caller, newest first',
    description:
      'An agent saves memories with the tool `save_memory` and uses the newest 30 in turns with `memory: true`. It keeps 200 about each user; the oldest give way. ADMIN and up read those about every user with `allUsers=true`.',
    calls: AgentCalls.listMemories,
  })
  async list(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string, @Query() query: MemoryPageRequest) {
    const { limit, cursor, allUsers } = query;
    const rows = await this.bus.call(AgentCalls.listMemories, ctx, { agentId, limit, cursor, allUsers });
    return page('Memories.', rows, limit);
  }

  @Patch(':memoryId')
  @Endpoint({
    summary: 'Correct a memory about the caller',
    description:
      'The next turn uses the new text. Every role may correct and delete what is about itself, VIEWER too; for everybody else, ADMIN and OWNER included, the memory is not found.',
    calls: AgentCalls.correctMemory,
  })
  async correct(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Param('memoryId', IdPipe) memoryId: string,
    @Body() { text }: MemoryCorrection,
  ) {
    return ok('Memory corrected.', await this.bus.call(AgentCalls.correctMemory, ctx, { agentId, memoryId, text }));
  }

  @Delete(':memoryId')
  @Endpoint({
    summary: 'Delete a memory about the caller',
    description:
      'The next turn does not use it. Every role may do this; the memories of others are not found, by ADMIN and OWNER neither.',
    calls: AgentCalls.removeMemory,
  })
  async remove(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Param('memoryId', IdPipe) memoryId: string,
  ) {
    return ok('Memory deleted.', await this.bus.call(AgentCalls.removeMemory, ctx, { agentId, memoryId }));
  }

  @Delete()
  @Endpoint({
    summary: 'Delete all that an agent remembers about the caller',
    description: 'The memories about other users stay. Every role may do this.',
    calls: AgentCalls.removeMemories,
  })
  async removeAll(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string) {
    return ok('Memories deleted.', await this.bus.call(AgentCalls.removeMemories, ctx, { agentId }));
  }
}
