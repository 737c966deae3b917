import { Injectable } from '@nestjs/common';
import { cleanText } from '@switchyard/kernel';
import { type Ctx, MEMORY_TEXT_MAX, requireSpace, requireUser } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { MemoriesRepository, type MemoryOwner } from '../db/memories.repository';
import { ToolError, type ToolRun } from '../toolkit/tool';

const SHOWN = 30;

/** An agent's memories of one person. */
@Injectable()
export class MemoryStore {
  constructor(
    private readonly database: Database,
    private readonly memories: MemoriesRepository,
  ) {}

  async save({ ctx, agentId, turnId }: ToolRun, text: unknown): Promise<{ saved: true }> {
    if (typeof text !== 'string' || text.trim() === '')
      throw new ToolError('INVALID_ARGUMENTS', 'text must say what to keep.');
    await this.database.transaction(ctx, (tx) =>
      this.memories.remember(tx, ownerOf(ctx, agentId), {
        // Cleaned after the cut, which may leave half of a character.
        text: cleanText(text.slice(0, MEMORY_TEXT_MAX)),
        turnId,
      }),
    );
    return { saved: true };
  }

  recall(ctx: Ctx, agentId: string): Promise<string[]> {
    return this.database.transaction(ctx, (tx) => this.memories.recall(tx, ownerOf(ctx, agentId), SHOWN));
  }
}

const ownerOf = (ctx: Ctx, agentId: string): MemoryOwner => ({
  spaceId: requireSpace(ctx),
  agentId,
  userId: requireUser(ctx),
});
