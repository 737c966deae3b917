import { type Ctx, requireSpace } from '@switchyard/contracts';
import { AppError, GroupCommit } from '@switchyard/kernel';
import type { Database, Read } from './database';
import { isTakenBack } from './errors';
import type { Rows } from './one-trip';

export interface Writes {
  statements: readonly Read[];
  /** Those of a group are made in the order of these, so that two groups seldom wait for each other in a circle. */
  order: string;
  /** About what they are to send and to be answered. */
  bytes: number;
}

interface Waiting extends Writes {
  /** Whoever asked has given up by then. */
  deadline: number;
}

/** A promise of its own, as whoever waits for the group does not wait for those who are made by themselves. */
interface Answer {
  rows: Rows[] | Promise<Rows[]>;
}

/** Each of a group waits for all others of it: more would spare little, and keep the first waiting. */
const GROUP_LIMITS = { items: 16, bytes: 256 * 1024 };

/** Of one Space. They would be answered too late anyway. */
const MOST_WAITING = 1_000;

/**
 * One that others hold, or that is slow, must not keep its Space waiting: then the group is given up, which also ends
 * whatever circle there may be. By itself it may wait as long as any statement.
 */
const SHORT_WAITS: Read = {
  name: 'short-waits',
  sql: `select set_config('lock_timeout', '100ms', true), set_config('statement_timeout', '2s', true)`,
  params: [],
};

/**
 * Writes that callers of one Space bring while others of it are under way leave as one trip and commit together. Each
 * is its own statements with its own answer, as with `Database.write`. When the database takes a group back, nothing of
 * it holds, and each is made by itself: what one of them is refused for, only that one hears. When nobody knows how a
 * group ended, all of it hears so, and nothing is made again.
 */
export class WritesTogether {
  private readonly waiting = new Map<string, number>();
  private readonly line = new GroupCommit<Waiting, Answer>(
    (spaceId, group) => this.write(spaceId, group),
    GROUP_LIMITS,
  );

  constructor(private readonly database: Database) {}

  async add(ctx: Ctx, writes: Writes): Promise<Rows[]> {
    const spaceId = requireSpace(ctx);
    const before = this.waiting.get(spaceId) ?? 0;
    if (before >= MOST_WAITING) throw tooMany();
    this.waiting.set(spaceId, before + 1);
    try {
      const entry = { ...writes, deadline: ctx.deadline > 0 ? ctx.deadline : Infinity };
      return await (
        await this.line.add(spaceId, entry, writes.bytes)
      ).rows;
    } finally {
      const left = (this.waiting.get(spaceId) ?? 1) - 1;
      if (left === 0) this.waiting.delete(spaceId);
      else this.waiting.set(spaceId, left);
    }
  }

  /** Never rejects: the line would make each of the group again. */
  private async write(spaceId: string, group: Waiting[]): Promise<Answer[]> {
    const now = Date.now();
    const wanted = group.filter(({ deadline }) => deadline > now);
    const answers = new Map<Waiting, Answer>();
    try {
      if (wanted.length > 0) await this.asOne(spaceId, wanted, answers);
    } catch (error) {
      const isSafe = isTakenBack(error);
      for (const writes of wanted) {
        const rows = isSafe ? this.database.writeInSpace(spaceId, writes.statements) : refused(error);
        answers.set(writes, { rows });
      }
    }
    return group.map((writes) => answers.get(writes) ?? { rows: refused(tooLate()) });
  }

  private async asOne(spaceId: string, group: readonly Waiting[], answers: Map<Waiting, Answer>): Promise<void> {
    const ordered = group.toSorted((one, other) => (one.order < other.order ? -1 : 1));
    const statements = [SHORT_WAITS, ...ordered.flatMap((writes) => writes.statements)];
    const rows = (await this.database.writeInSpace(spaceId, statements)).slice(1);
    for (const writes of ordered) answers.set(writes, { rows: rows.splice(0, writes.statements.length) });
  }
}

const refused = (reason: unknown): Promise<Rows[]> =>
  Promise.reject(reason instanceof Error ? reason : new Error(String(reason)));

const tooMany = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'Too many requests of this Space wait for the database. Try again shortly.', {
    retryAfterSeconds: 1,
  });

const tooLate = (): AppError => new AppError('TIMEOUT', 'The request took too long.');
