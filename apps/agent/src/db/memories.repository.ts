import { Injectable } from '@nestjs/common';
import { newId } from '@switchyard/kernel';
import type { MemoryView } from '@switchyard/contracts';
import type { PageWindow, RowOf, Tx } from '@switchyard/database';
import { memories } from './tables';

export interface MemoryOwner {
  spaceId: string;
  agentId: string;
  userId: string;
}

/** How much of a person is remembered by one agent; older memories give way. */
export const MEMORIES_MAX = 200;

const OWNED = 'space_id = $1 and agent_id = $2 and user_id = $3';
const ownedBy = (owner: MemoryOwner): unknown[] => [owner.spaceId, owner.agentId, owner.userId];

const viewOf = (row: RowOf<typeof memories>): MemoryView => ({
  id: row.id,
  agentId: row.agentId,
  userId: row.userId,
  text: row.text,
  turnId: row.turnId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt ?? row.createdAt,
});

@Injectable()
export class MemoriesRepository {
  async remember(tx: Tx, owner: MemoryOwner, memory: { text: string; turnId: string }): Promise<void> {
    const { text, turnId } = memory;
    await tx.rows(memories).insert({ ...owner, id: newId(), text, turnId, updatedAt: null });
    await tx.run(
      `delete from memories where ${OWNED} and id not in
         (select id from memories where ${OWNED} order by id desc limit $4)`,
      [...ownedBy(owner), MEMORIES_MAX],
    );
  }

  /** Newest first. */
  async recall(tx: Tx, owner: MemoryOwner, limit: number): Promise<string[]> {
    const rows = await tx.query<{ text: string }>(
      `select text from memories where ${OWNED} order by id desc limit $4`,
      [...ownedBy(owner), limit],
    );
    return rows.map(({ text }) => text);
  }

  /** Newest first, of one user or, with a `userId` of null, of all. */
  async list(
    tx: Tx,
    { spaceId, agentId, userId }: { spaceId: string; agentId: string; userId: string | null },
    window: PageWindow<string>,
  ): Promise<MemoryView[]> {
    const rows = await tx.rows(memories).list({ spaceId, agentId, userId: userId ?? undefined }, window);
    return rows.map(viewOf);
  }

  async correct(tx: Tx, owner: MemoryOwner, id: string, text: string): Promise<MemoryView | null> {
    const row = await tx.rows(memories).change({ ...owner, id }, { text, updatedAt: () => 'now()' });
    return row && viewOf(row);
  }

  /** Whether there was one. */
  async remove(tx: Tx, owner: MemoryOwner, id: string): Promise<boolean> {
    return (await tx.rows(memories).remove({ ...owner, id })) > 0;
  }

  removeAll(tx: Tx, owner: MemoryOwner): Promise<number> {
    return tx.rows(memories).remove({ ...owner });
  }
}
