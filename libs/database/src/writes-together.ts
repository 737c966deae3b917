import { type Ctx, requireSpace } from '@switchyard/contracts';
import { AppError, GroupCommit } from '@switchyard/kernel';
import type { Database, Read } from './database';
import { isHeldByOthers } from './errors';
import type { Rows } from './one-trip';

export interface Writes {
  statements: readonly Read[];
  /** Those of a group are made in the order of these, everywhere: two groups then cannot wait for each other in a circle. */
  order: string;
  bytes: number;
}

/** A promise of its own, as whoever waits for the group does not wait for those who are made by themselves. */
interface Answer {
  rows: Rows[] | Promise<Rows[]>;
}

/** Each of a group waits for all others of it: more would spare little, and keep the first waiting. */
const GROUP_LIMITS = { items: 16, bytes: 256 * 1024 };

/** One that others hold must not keep its Space waiting; by itself it may wait as long as any statement. */
const SHORT_WAIT: Read = { name: 'short-wait', sql: `select set_config('lock_timeout', '100ms', true)`, params: [] };

/**
 * Writes that callers of one Space bring while others of it are under way leave as one trip and commit together. Each
 * is its own statements with its own answer, as with `Database.write`. When the group fails, nothing of it holds, and
 * each is made by itself: what one of them is refused for, only that one hears.
 */
export class WritesTogether {
  private readonly line = new GroupCommit<Writes, Answer>((spaceId, group) => this.write(spaceId, group), GROUP_LIMITS);

  constructor(private readonly database: Database) {}

  async add(ctx: Ctx, writes: Writes): Promise<Rows[]> {
    return (await this.line.add(requireSpace(ctx), writes, writes.bytes)).rows;
  }

  private async write(spaceId: string, group: Writes[]): Promise<Answer[]> {
    try {
      return await this.asOne(spaceId, group);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      return group.map(({ statements }) => ({ rows: this.database.writeInSpace(spaceId, statements) }));
    }
  }

  private async asOne(spaceId: string, group: Writes[]): Promise<Answer[]> {
    const ordered = group.toSorted((one, other) => (one.order < other.order ? -1 : 1));
    const statements = [SHORT_WAIT, ...ordered.flatMap((writes) => writes.statements)];
    const rows = (await this.database.writeInSpace(spaceId, statements)).slice(1);
    const answers = new Map(ordered.map((writes) => [writes, rows.splice(0, writes.statements.length)]));
    return group.map((writes) => ({ rows: answers.get(writes) ?? [] }));
  }
}

/** The database is not there, or gave no answer: who asks once more only waits once more, and may write twice. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE' && !isHeldByOthers(error);
