import type { StoredRow } from '../transactions/outbox-rows';
import type { ClaimLimit } from '../tenant-queue/claim-byte-limit';
import type { Database } from '../transactions/database';
import { anyDue, anyQueued, claimDueOf, dueSpaces, DueTurns, planByIndex } from '../tenant-queue/claim-due-events';
import {
  type QueuedLine,
  QueuedTurns,
  claimLines,
  isQueuedByKey,
  lockQueue,
  queuedLines,
  queuedSpaces,
} from '../tenant-queue/claim-queued-events';

/** Byte limit of a claim. An event has up to about a megabyte. */
const CLAIM_BYTES = 4 * 1024 * 1024;

type ClaimedRow = StoredRow & { bytes: number };

/** The outbox table, for the runner of libs/messaging. */
export class Outbox {
  private listener: ((rows: StoredRow[]) => void) | undefined;
  private readonly turns = new QueuedTurns();
  private readonly due = new DueTurns();
  readonly poller;

  constructor(private readonly database: Database) {
    this.poller = database.idlePoller.for(anyDue, anyQueued);
    database.onCommit((rows) => this.listener?.(rows));
  }

  onAnnounced(listener: (rows: StoredRow[]) => void): void {
    this.listener = listener;
  }

  onTriggerWrote(listener: () => void): void {
    this.database.onTriggerWrote(listener);
  }

  /**
   * Claims queued events: each Space gets its share, each order key its oldest. Events of one order key go to one
   * caller at a time.
   */
  async claimQueued(limit: number): Promise<StoredRow[]> {
    const looked = new Set<string>();
    for (;;) {
      const { spaces, rows } = await this.claimTurn(limit);
      if (rows.length > 0 || !QueuedTurns.mayBeMore(spaces)) return rows;
      // Nothing to claim there; other Spaces may have some.
      if (spaces.some((space) => looked.has(space))) return rows;
      for (const space of spaces) looked.add(space);
    }
  }

  private claimTurn(limit: number): Promise<{ spaces: string[]; rows: StoredRow[] }> {
    return this.database.system('claim queued events', async (tx) => {
      await tx.statement(lockQueue);
      const spaces = (await tx.statement<{ space: string }>(queuedSpaces(this.turns.afterSpace))).map(
        ({ space }) => space,
      );
      if (spaces.length === 0) return { spaces, rows: [] };
      const after = spaces.map((space) => this.turns.afterKey(space));
      const lines = this.turns.share(spaces, await tx.statement<QueuedLine>(queuedLines(spaces, after)), limit);
      return { spaces, rows: lines.length === 0 ? [] : await tx.statement<StoredRow>(claimLines(lines, CLAIM_BYTES)) };
    });
  }

  /**
   * Ends a claim: published, refused, and others, which are due again. Each refusal doubles the delay, up to five
   * minutes, also for events queued behind it under its order key.
   */
  async dequeue(published: string[], others: string[], refused: string[] = []): Promise<void> {
    await this.database.system('note published events', (tx) =>
      tx.prepared(
        'outbox-dequeue',
        `update outbox set
            epoch = case when id = any($1::uuid[]) then 0 when id = any($3::uuid[]) then epoch - 1 else epoch end,
            locked_until = clock_timestamp() + case
              when id = any($1::uuid[]) then interval '10 seconds'
              when id = any($3::uuid[]) then least(interval '300 seconds', interval '1 second' * (2 ^ least(-epoch - 1, 10)))
              else interval '0' end
          where id = any($1::uuid[] || $2::uuid[] || $3::uuid[]) and ${isQueuedByKey('epoch')}`,
        [published, others, refused],
      ),
    );
  }

  /**
   * Claims unconfirmed events that are due, in round robin over Spaces. `hasMore` is false if no more are due, or
   * another claimer took them meanwhile; the next poll finds the rest.
   */
  async claimDue(limit: number): Promise<{ rows: StoredRow[]; hasMore: boolean }> {
    const looked = new Set<string>();
    const claimed: StoredRow[] = [];
    let remaining = CLAIM_BYTES;
    for (;;) {
      const { spaces, rows } = await this.claimDueTurn({ rows: limit - claimed.length, bytes: remaining });
      claimed.push(...rows);
      for (const { bytes } of rows) remaining -= bytes;
      // The rest may be unused because the next event is large.
      if (claimed.length >= limit || remaining < CLAIM_BYTES / 2) return { rows: claimed, hasMore: true };
      if (!DueTurns.mayBeMore(spaces) || spaces.some((space) => looked.has(space)))
        return { rows: claimed, hasMore: false };
      for (const space of spaces) looked.add(space);
    }
  }

  private claimDueTurn(limit: ClaimLimit): Promise<{ spaces: string[]; rows: ClaimedRow[] }> {
    return this.database.system('claim events that are due', async (tx) => {
      if ((await tx.statement(anyDue)).length === 0) return { spaces: [], rows: [] };
      await tx.statement(planByIndex);
      const found = await tx.statement<{ space: string; isDue: boolean }>(dueSpaces(this.due.after));
      const spaces = found.map(({ space }) => space);
      this.due.took(spaces);
      const due = found.flatMap(({ space, isDue }) => (isDue ? [space] : []));
      return { spaces, rows: due.length === 0 ? [] : await tx.statement<ClaimedRow>(claimDueOf(due, limit)) };
    });
  }

  async confirm(consumer: string, ids: string[]): Promise<void> {
    await this.database.system('confirm events', async (tx) => {
      // Most events have one consumer and are deleted with its confirmation.
      const planned = tx.withOnePlan();
      const confirmed = tx.prepared(
        'outbox-confirm',
        'delete from outbox where id = any($1::uuid[]) and pending = array[$2] returning 1',
        [ids, consumer],
      );
      const [, rest] = await Promise.all([planned, confirmed]);
      if (rest.length < ids.length) {
        await tx.run(
          'update outbox set pending = array_remove(pending, $2) where id = any($1::uuid[]) and $2 = any(pending)',
          [ids, consumer],
        );
        await tx.run(`delete from outbox where id = any($1::uuid[]) and pending = '{}'`, [ids]);
      }
    });
  }

  async settle(ids: string[]): Promise<void> {
    await this.database.system('settle events', (tx) => tx.run('delete from outbox where id = any($1::uuid[])', [ids]));
  }

  async postpone(ids: string[], ms: number): Promise<void> {
    await this.database.system('postpone events', (tx) =>
      tx.run(
        `update outbox set locked_until = clock_timestamp() + make_interval(secs => $2::float8 / 1000), epoch = greatest(epoch - 1, 0)
          where id = any($1::uuid[])`,
        [ids, ms],
      ),
    );
  }

  async unlockAll(): Promise<void> {
    await this.database.system('make every event due again', (tx) =>
      tx.run(`update outbox set locked_until = 'epoch' where locked_until > (select clock_timestamp())`),
    );
  }

  /** Metrics: number of waiting events, and age of the oldest. */
  async backlog(): Promise<{ rows: number; oldestSeconds: number }> {
    const row = await this.database.system('measure the outbox', (tx) =>
      tx.one<{ rows: number; oldestSeconds: number }>(
        'select count(*)::int as rows, coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 as oldest_seconds from outbox',
      ),
    );
    return row ?? { rows: 0, oldestSeconds: 0 };
  }
}
