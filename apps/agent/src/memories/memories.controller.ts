import { Controller } from '@nestjs/common';
import {
  AgentById,
  AgentCalls,
  CorrectMemory,
  type Ctx,
  Deleted,
  DeletedMemories,
  ListMemories,
  MemoryById,
  MemoryView,
  type Page,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { MemoriesService } from './memories.service';

@Controller()
export class MemoriesController {
  constructor(private readonly memories: MemoriesService) {}

  @Handles(AgentCalls.listMemories)
  list(data: ListMemories, ctx: Ctx): Promise<Page<MemoryView>> {
    return this.memories.list(ctx, data);
  }

  @Handles(AgentCalls.correctMemory)
  correct(data: CorrectMemory, ctx: Ctx): Promise<MemoryView> {
    return this.memories.correct(ctx, data);
  }

  @Handles(AgentCalls.removeMemory)
  remove(data: MemoryById, ctx: Ctx): Promise<Deleted> {
    return this.memories.remove(ctx, data);
  }

  @Handles(AgentCalls.removeMemories)
  removeAll(data: AgentById, ctx: Ctx): Promise<DeletedMemories> {
    return this.memories.removeAll(ctx, data.agentId);
  }
}
