import { type Ctx, requireSpace } from '@switchyard/contracts';
import { Batcher } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import type { Database, Read } from './database';
import { isRolledBack } from '../client/errors';
import type { Rows } from '../client/pipelined-batch';
import { failedPart } from './tenant-batch';

export interface Writes {
  statements: readonly Read[];
  /** Sort key within a Space: batches that lock rows in the same order do not deadlock. */
  order: string;
  /** Approximate size of statements and results. */
  bytes: number;
}

interface QueuedWrites extends Writes {
  spaceId: string;
  deadline: number;
}

/** A promise if a member is retried alone: the batch does not wait for it. */
interface WriteResult {
  rows: Rows[] | Promise<Rows[]>;
}

/** All members wait for the whole batch: larger ones save little and delay the first member. */
const BATCHES = { items: 16, bytes: 256 * 1024, shared: { owners: 16, atOnce: 2, isolatedMs: 10_000 } };

/** Queue limits of a Space, and in total. Beyond them callers are refused and may retry. */
const SPACE_MAY_WAIT = { items: 1_000, bytes: 32 * 1024 * 1024 };
const ALL_MAY_WAIT_BYTES = 128 * 1024 * 1024;

/**
 * Group commit: writes that arrive during a batch join the next one, sent in one round trip, transaction and commit. A
 * batch may have writes of several Spaces, each run in its own. If Postgres rolls a batch back, each member is retried
 * alone, so that only the faulty one fails. If the connection breaks, the outcome is unknown: all members fail, and
 * nothing is retried.
 */
export class GroupCommitWriter {
  private readonly waiting = new Map<string, { items: number; bytes: number }>();
  private waitingBytes = 0;
  private readonly batches = new Batcher<QueuedWrites, WriteResult>((batch) => this.write(batch), BATCHES);

  constructor(private readonly database: Database) {}

  async add(ctx: Ctx, writes: Writes): Promise<Rows[]> {
    const spaceId = requireSpace(ctx);
    const leave = this.enter(spaceId, writes.bytes);
    try {
      const deadline = ctx.deadline > 0 ? ctx.deadline : Infinity;
      const answer = await this.batches.add(spaceId, { ...writes, spaceId, deadline }, writes.bytes);
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
    // A single write may be as large as a request.
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

  /** Never rejects. */
  private async write(group: readonly QueuedWrites[]): Promise<WriteResult[]> {
    const now = Date.now();
    const pending = group.filter(({ deadline }) => deadline > now).sort(inOrder);
    const answers = pending.length === 0 ? [] : await this.asOne(pending);
    const byMember = new Map(pending.map((writes, at) => [writes, answers[at]]));
    return group.map((writes) => byMember.get(writes) ?? { rows: refused(tooLate()) });
  }

  private async asOne(ordered: readonly QueuedWrites[]): Promise<WriteResult[]> {
    const parts = ordered.map(({ spaceId, statements }) => ({ spaceId, writes: statements }));
    try {
      return (await this.database.writeInSpaces(parts)).map((rows) => ({ rows }));
    } catch (error) {
      if (!isRolledBack(error)) return ordered.map(() => ({ rows: refused(error) }));
      const guilty = failedPart(error, parts);
      if (guilty) this.batches.isolate(guilty.spaceId);
      return parts.map(({ spaceId, writes }) => ({ rows: this.database.writeInSpace(spaceId, writes) }));
    }
  }
}

/** Batches that lock rows in the same order do not deadlock. */
const inOrder = (one: QueuedWrites, other: QueuedWrites): number =>
  compare(one.spaceId, other.spaceId) || compare(one.order, other.order);

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const refused = (reason: unknown): Promise<Rows[]> =>
  Promise.reject(reason instanceof Error ? reason : new Error(String(reason)));

const tooMany = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'Too many requests of this Space wait for the database. Try again shortly.', {
    retryAfterSeconds: 1,
  });

const tooLate = (): AppError => new AppError('TIMEOUT', 'The request took too long.');
