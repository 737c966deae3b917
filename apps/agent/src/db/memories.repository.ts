import { Injectable } from '@nestjs/common';
import { newId } from '@switchyard/kernel';
import type { Tx } from '@switchyard/database';

export interface MemoryOwner {
  spaceId: string;
  agentId: string;
  userId: string;
}

/** How much of a person is remembered by one agent; older memories give way. */
export const MEMORIES_KEPT = 200;

@Injectable()
export class MemoriesRepository {
  async remember(tx: Tx, owner: MemoryOwner, text: string): Promise<void> {
    await tx.run('insert into memories (space_id, id, agent_id, user_id, text) values ($1, $2, $3, $4, $5)', [
      owner.spaceId,
      newId(),
      owner.agentId,
      owner.userId,
      text,
    ]);
    await tx.run(
      `delete from memories where space_id = $1 and agent_id = $2 and user_id = $3 and id not in
         (select id from memories where space_id = $1 and agent_id = $2 and user_id = $3 order by id desc limit $4)`,
      [owner.spaceId, owner.agentId, owner.userId, MEMORIES_KEPT],
    );
  }

  /** Newest first. */
  async recall(tx: Tx, owner: MemoryOwner, limit: number): Promise<string[]> {
    const rows = await tx.query<{ text: string }>(
      'select text from memories where space_id = $1 and agent_id = $2 and user_id = $3 order by id desc limit $4',
      [owner.spaceId, owner.agentId, owner.userId, limit],
    );
    return rows.map(({ text }) => text);
  }
}
