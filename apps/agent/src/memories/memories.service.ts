import { Injectable } from '@nestjs/common';
import {
  type CorrectMemory,
  type Ctx,
  type Deleted,
  type DeletedMemories,
  type ListMemories,
  MEMORY_TEXT_MAX,
  type MemoryById,
  type MemoryView,
  type Page,
  requireSpace,
  requireUser,
  roleAtLeast,
} from '@switchyard/contracts';
import { Database, listById } from '@switchyard/database';
import { AppError, invalid } from '@switchyard/kernel';
import { AgentsService } from '../agents/agents.service';
import { MemoriesRepository, type MemoryOwner } from '../db/memories.repository';

const LIST = listById('memories');
const memoryNotFound = (): AppError => new AppError('NOT_FOUND', 'Memory not found.');

/**
 * Memories as the user whom they are about sees, corrects and deletes them. That the user may no longer call the agent
 * changes nothing here. ADMIN and up may read those of others and, as everybody else, not change them.
 */
@Injectable()
export class MemoriesService {
  constructor(
    private readonly database: Database,
    private readonly agents: AgentsService,
    private readonly memories: MemoriesRepository,
  ) {}

  async list(ctx: Ctx, query: ListMemories): Promise<Page<MemoryView>> {
    if (query.allUsers && !roleAtLeast(ctx.role, 'ADMIN')) {
      throw new AppError('FORBIDDEN', 'You need the role ADMIN to list the memories of others; leave out allUsers.');
    }
    const owner = await this.ownerOf(ctx, query.agentId);
    const of = query.allUsers ? { ...owner, userId: null } : owner;
    const window = LIST.windowOf(query);
    const rows = await this.database.transaction(ctx, (tx) => this.memories.list(tx, of, window));
    return LIST.pageOf(rows, window);
  }

  async correct(ctx: Ctx, { agentId, memoryId, text }: CorrectMemory): Promise<MemoryView> {
    if (text.trim() === '') throw invalid('text', `must be a string of 1 to ${MEMORY_TEXT_MAX} characters, not blank`);
    const owner = await this.ownerOf(ctx, agentId);
    const memory = await this.database.transaction(ctx, (tx) => this.memories.correct(tx, owner, memoryId, text));
    if (!memory) throw memoryNotFound();
    return memory;
  }

  async remove(ctx: Ctx, { agentId, memoryId }: MemoryById): Promise<Deleted> {
    const owner = await this.ownerOf(ctx, agentId);
    const isRemoved = await this.database.transaction(ctx, (tx) => this.memories.remove(tx, owner, memoryId));
    if (!isRemoved) throw memoryNotFound();
    return { id: memoryId, deleted: true };
  }

  async removeAll(ctx: Ctx, agentId: string): Promise<DeletedMemories> {
    const owner = await this.ownerOf(ctx, agentId);
    return { deleted: await this.database.transaction(ctx, (tx) => this.memories.removeAll(tx, owner)) };
  }

  /** The caller, where the agent is one of the Space or built in. */
  private async ownerOf(ctx: Ctx, agentId: string): Promise<MemoryOwner> {
    const owner = { spaceId: requireSpace(ctx), agentId, userId: requireUser(ctx) };
    await this.agents.load(ctx, agentId);
    return owner;
  }
}
