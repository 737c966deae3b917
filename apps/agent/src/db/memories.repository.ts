import { Injectable } from '@nestjs/common';
import { newId } from '@switchyard/kernel';
import type { MemoryView } from '@switchyard/contracts';
import type { PageWindow, Tx } from '@switchyard/database';

export interface MemoryOwner {
  spaceId: string;
  agentId: string;
  userId: string;
}

/** How much of a person is remembered by one agent; older memories give way. */
export const MEMORIES_KEPT = 200;

const COLUMNS = 'id, agent_id, user_id, text, turn_id, created_at, coalesce(updated_at, created_at) as updated_at';
const OWNED = 'space_id = $1 and agent_id = $2 and user_id = $3';
const ownedBy = (owner: MemoryOwner): unknown[] => [owner.spaceId, owner.agentId, owner.userId];

@Injectable()
export class MemoriesRepository {
  async remember(tx: Tx, owner: MemoryOwner, memory: { text: string; turnId: string }): Promise<void> {
    await tx.run(
      'insert into memories (space_id, agent_id, user_id, id, text, turn_id) values ($1, $2, $3, $4, $5, $6)',
      [...ownedBy(owner), newId(), memory.text, memory.turnId],
    );
    await tx.run(
      `delete from memories where ${OWNED} and id not in
         (select id from memories where ${OWNED} order by id desc limit $4)`,
      [...ownedBy(owner), MEMORIES_KEPT],
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
  list(
    tx: Tx,
    of: { spaceId: string; agentId: string; userId: string | null },
    { after, take }: PageWindow<string>,
  ): Promise<MemoryView[]> {
    const params: unknown[] = [of.spaceId, of.agentId];
    const where = ['space_id = $1', 'agent_id = $2'];
    if (of.userId !== null) where.push(`user_id = $${params.push(of.userId)}`);
    if (after !== null) where.push(`id < $${params.push(after)}`);
    return tx.query(
      `select ${COLUMNS} from memories where ${where.join(' and ')} order by id desc limit $${params.push(take)}`,
      params,
    );
  }

  correct(tx: Tx, owner: MemoryOwner, id: string, text: string): Promise<MemoryView | null> {
    return tx.one(`update memories set text = $5, updated_at = now() where ${OWNED} and id = $4 returning ${COLUMNS}`, [
      ...ownedBy(owner),
      id,
      text,
    ]);
  }

  /** Whether there was one. */
  async remove(tx: Tx, owner: MemoryOwner, id: string): Promise<boolean> {
    return (await tx.count(`delete from memories where ${OWNED} and id = $4`, [...ownedBy(owner), id])) > 0;
  }

  removeAll(tx: Tx, owner: MemoryOwner): Promise<number> {
    return tx.count(`delete from memories where ${OWNED}`, ownedBy(owner));
  }
}
