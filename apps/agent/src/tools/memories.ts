import { Injectable } from '@nestjs/common';
import { cleanText } from '@switchyard/kernel';
import { type Ctx, requireSpace, requireUser } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { MemoriesRepository, type MemoryOwner } from '../db/memories.repository';
import { ToolError } from './tool';

const NOTE_CHARS = 2000;
const SHOWN = 30;

/** What one agent remembers of one person. */
@Injectable()
export class Memories {
  constructor(
    private readonly database: Database,
    private readonly memories: MemoriesRepository,
  ) {}

  async save(ctx: Ctx, agentId: string, text: unknown): Promise<{ saved: true }> {
    if (typeof text !== 'string' || text.trim() === '')
      throw new ToolError('INVALID_ARGUMENTS', 'text must say what to keep.');
    await this.database.transaction(ctx, (tx) =>
      this.memories.remember(tx, ownerOf(ctx, agentId), cleanText(text).slice(0, NOTE_CHARS)),
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
