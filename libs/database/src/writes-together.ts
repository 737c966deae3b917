import { type Ctx, requireSpace } from '@switchyard/contracts';
import { AppError, GroupCommit } from '@switchyard/kernel';
import type { Database, Read } from './database';
import { isRolledBack } from './errors';
import type { Rows } from './one-trip';

export interface Writes {
  statements: readonly Read[];
  /** A group runs its members sorted by this: two groups that lock the same rows in one order do not deadlock. */
  order: string;
  /** Roughly, of what is sent and of what comes back. */
  bytes: number;
}

interface Waiting extends Writes {
  deadline: number;
}

/** A promise where a member is retried alone: the group does not wait for it. */
interface Answer {
  rows: Rows[] | Promise<Rows[]>;
}

/** All members wait for the whole group: larger ones spare little more, and delay the first member. */
const GROUP_LIMITS = { items: 16, bytes: 256 * 1024 };

/** What may wait: of one Space, and of all. Beyond it callers are refused, and may retry. */
const SPACE_MAY_WAIT = { items: 1_000, bytes: 32 * 1024 * 1024 };
const ALL_MAY_WAIT_BYTES = 128 * 1024 * 1024;

/**
 * A member that waits for a lock, or is slow, must not delay the others of its Space: the group is rolled back, and each
 * member is retried alone, with the usual timeouts. This also ends a deadlock before Postgres looks for one.
 */
const SHORT_TIMEOUTS: Read = {
  name: 'short-timeouts',
  sql: `select set_config('lock_timeout', '100ms', true), set_config('statement_timeout', '2s', true)`,
  params: [],
};

/**
 * Group commit for writes of one Space: while one group runs, further writes wait, and then leave as the next group in
 * one round trip, one transaction and one commit. Each caller gives its own statements and gets their rows, as with
 * `Database.write`. If Postgres rolls a group back, each member is retried alone, so that only the one at fault gets the
 * error. If the connection is lost, nobody knows whether the group was committed: all members get the error, and
 * nothing is retried.
 */
export class WritesTogether {
  private readonly waiting = new Map<string, { items: number; bytes: number }>();
  private waitingBytes = 0;
  private readonly line = new GroupCommit<Waiting, Answer>(
    (spaceId, group) => this.write(spaceId, group),
    GROUP_LIMITS,
  );

  constructor(private readonly database: Database) {}

  async add(ctx: Ctx, writes: Writes): Promise<Rows[]> {
    const spaceId = requireSpace(ctx);
    const leave = this.enter(spaceId, writes.bytes);
    try {
      const deadline = ctx.deadline > 0 ? ctx.deadline : Infinity;
      const answer = await this.line.add(spaceId, { ...writes, deadline }, writes.bytes);
      return await answer.rows;
    } finally {
      leave();
    }
  }

  private enter(spaceId: string, bytes: number): () => void {
    const own = this.waiting.get(spaceId) ?? { items: 0, bytes: 0 };
    const isOver =
      own.items >= SPACE_MAY_WAIT.items ||
      own.bytes + bytes > SPACE_MAY_WAIT.bytes ||
      this.waitingBytes + bytes > ALL_MAY_WAIT_BYTES;
    // One alone is as large as a request may be.
    if (isOver && own.items > 0) throw tooMany();
    this.waiting.set(spaceId, own);
    own.items += 1;
    own.bytes += bytes;
    this.waitingBytes += bytes;
    return () => {
      own.items -= 1;
      own.bytes -= bytes;
      this.waitingBytes -= bytes;
      if (own.items === 0) this.waiting.delete(spaceId);
    };
  }

  /** Never rejects: `GroupCommit` would retry each member, also where that is not safe. */
  private async write(spaceId: string, group: Waiting[]): Promise<Answer[]> {
    const now = Date.now();
    const wanted = group.filter(({ deadline }) => deadline > now);
    const answers = new Map<Waiting, Answer>();
    try {
      if (wanted.length > 0) await this.asOne(spaceId, wanted, answers);
    } catch (error) {
      const isSafe = isRolledBack(error);
      for (const writes of wanted) {
        const rows = isSafe ? this.database.writeInSpace(spaceId, writes.statements) : refused(error);
        answers.set(writes, { rows });
      }
    }
    return group.map((writes) => answers.get(writes) ?? { rows: refused(tooLate()) });
  }

  private async asOne(spaceId: string, group: readonly Waiting[], answers: Map<Waiting, Answer>): Promise<void> {
    const ordered = group.toSorted((one, other) => (one.order < other.order ? -1 : 1));
    const statements = [SHORT_TIMEOUTS, ...ordered.flatMap((writes) => writes.statements)];
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
