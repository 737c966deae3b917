import type { Database, Read } from '../transactions/database';
import { isStatementTimeout } from '../client/errors';
import {
  LOSSES_MAX,
  LostWork,
  type LostWorkPage,
  ONE_SUSPECT,
  type RunningWork,
  hasOtherMarks,
  processCrashed,
} from '../lost-work/lost-work';
import type { Tx } from '../transactions/transaction';

const LAST_ATTEMPT = 8;
/** If a process dies with a requeued letter, it is retried after this time. */
const REQUEUE_LEASE_SECONDS = 60;

const LETTER =
  'consumer, message_id, space_id, name, octet_length(body) as bytes, attempts, error, first_at, last_at, requeued_at';
const IS_REQUEUED = 'requeued_at <= (select clock_timestamp())';
const anyRequeued: Read = {
  name: 'inbox-any-requeued',
  params: [],
  sql: `select 1 from dead_letter where ${IS_REQUEUED} limit 1`,
};

export interface InboxEntry {
  consumer: string;
  id: string;
  name: string;
  spaceId: string | null;
  body: string;
}

class AlreadyConsumed extends Error {}

/** Marks of this process. */
export interface Marks {
  readonly worker: string;
  begin(work: Omit<RunningWork, 'worker'>): Read;
  end(tx: Tx, slot: string): Promise<unknown>;
  drop(slot: string): void;
  /** Runs work that lost its process before, while fresh work of this process waits. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

const KIND = 'message';
/** Suspect messages run one at a time. */
const SLOT = 'message';
const GIVEN_UP = 'RUNTIME_UNAVAILABLE: the process that handled it ended twice';

/** Inbox and dead letters of a service, for the event consumers of libs/messaging. */
export class Inbox {
  readonly poller;

  constructor(
    private readonly database: Database,
    private readonly losses = new LostWork(database),
    /** Null if losses are not counted: nothing is marked. */
    private readonly marks: Marks | null = null,
  ) {
    this.poller = database.idlePoller.for(anyRequeued);
  }

  /** The effect and the inbox row commit together; this key, not the acknowledgement, makes it exactly once. */
  async receive(message: InboxEntry, effect: (tx: unknown) => Promise<void>): Promise<'done' | 'seen'> {
    const work = async (tx: Tx): Promise<void> => {
      const fresh = await tx.prepared(
        'inbox-note',
        'insert into inbox (consumer, message_id) values ($1, $2) on conflict do nothing returning 1',
        [message.consumer, message.id],
      );
      if (fresh.length === 0) throw new AlreadyConsumed();
      await effect(tx);
    };
    try {
      await this.database.inSpace(message.spaceId, work);
      return 'done';
    } catch (error) {
      if (error instanceof AlreadyConsumed) return 'seen';
      throw error;
    }
  }

  async stateOf(message: InboxEntry): Promise<'new' | 'seen' | 'suspect'> {
    const [rows = []] = await this.database.systemRead('look for a message', [
      {
        name: 'inbox-look',
        params: [message.consumer, message.id],
        sql: `select exists (select 1 from inbox where consumer = $1 and message_id = $2) as is_seen,
                ${processCrashed} or exists (select 1 from lost_work where kind = '${KIND}' and id = $2) as is_suspect`,
      },
    ]);
    if (rows[0]?.isSeen === true) return 'seen';
    return rows[0]?.isSuspect === true ? 'suspect' : 'new';
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.marks ? this.marks.alone(work) : work();
  }

  /** For a redelivered message. The redelivery counts as its first loss until it has been handled. */
  async beginAlone(message: InboxEntry): Promise<'alone' | 'seen' | 'elsewhere' | 'lost'> {
    try {
      return await this.database.system('begin a message alone', (tx) => this.markAlone(tx, message));
    } catch (error) {
      this.marks?.drop(SLOT);
      throw error;
    }
  }

  private async markAlone(tx: Tx, message: InboxEntry): Promise<'alone' | 'seen' | 'elsewhere' | 'lost'> {
    const seen = await tx.one('select 1 as one from inbox where consumer = $1 and message_id = $2', [
      message.consumer,
      message.id,
    ]);
    if (seen) return 'seen';
    if (this.marks === null) return 'alone';
    await tx.run(ONE_SUSPECT);
    const running = await tx.one(
      `select 1 as one where exists (select 1 from running_work where kind = $1 and $2 = any(ids)) or ${hasOtherMarks('$3', '$4')}`,
      [KIND, message.id, this.marks.worker, SLOT],
    );
    if (running) return 'elsewhere';
    const losses = await this.losses.lossesOf(tx, KIND, message.id);
    if (losses >= LOSSES_MAX) return 'lost';
    if (losses === 0) await this.losses.lose(tx, { kind: KIND, ids: [message.id], wereAlone: false });
    await tx.statement(this.marks.begin({ slot: SLOT, kind: KIND, ids: [message.id], isAlone: true }));
    return 'alone';
  }

  async endAlone(message: InboxEntry, isOver: boolean): Promise<void> {
    try {
      await this.database.system('end a message alone', async (tx) => {
        await this.marks?.end(tx, SLOT);
        if (isOver) await this.losses.reset(tx, KIND, message.id);
      });
    } finally {
      this.marks?.drop(SLOT);
    }
  }

  async giveUp(message: InboxEntry): Promise<void> {
    await this.database.system('give a message up', async (tx) => {
      await this.bury(tx, message, LOSSES_MAX, GIVEN_UP);
      await this.losses.giveUp(tx, [{ kind: KIND, id: message.id, spaceId: message.spaceId, losses: LOSSES_MAX }]);
    });
  }

  private async bury(tx: Tx, message: InboxEntry, attempts: number, error: string): Promise<void> {
    await tx.run(
      `insert into dead_letter (consumer, message_id, name, body, attempts, error, space_id) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (consumer, message_id) do update set attempts = dead_letter.attempts + 1, error = $6, last_at = clock_timestamp(), requeued_at = null`,
      [message.consumer, message.id, message.name, message.body, attempts, error.slice(0, 2000), message.spaceId],
    );
  }

  async fail(message: InboxEntry, error: string): Promise<{ dead: boolean }> {
    return this.database.system('count a failed event', async (tx) => {
      const row = await tx.one<{ attempts: number }>(
        `insert into inbox_failure (consumer, message_id, attempts, error) values ($1, $2, 1, $3)
         on conflict (consumer, message_id) do update set attempts = inbox_failure.attempts + 1, error = $3, last_at = clock_timestamp()
         returning attempts`,
        [message.consumer, message.id, error.slice(0, 2000)],
      );
      if ((row?.attempts ?? 0) < LAST_ATTEMPT) return { dead: false };
      await this.bury(tx, message, row?.attempts ?? 0, error);
      return { dead: true };
    });
  }

  /** They stay until `dropDead`, or until they have failed again, so a crash loses none. */
  async takeRequeued(limit: number): Promise<InboxEntry[]> {
    const rows = await this.database.system('take dead letters that were sent back', (tx) =>
      tx.query<{ consumer: string; messageId: string; name: string; body: string }>(
        `update dead_letter set requeued_at = clock_timestamp() + interval '${REQUEUE_LEASE_SECONDS} seconds' where (consumer, message_id) in
           (select consumer, message_id from dead_letter where ${IS_REQUEUED} order by last_at limit $1 for update skip locked)
         returning consumer, message_id, name, body`,
        [limit],
      ),
    );
    return rows.map((row) => ({
      consumer: row.consumer,
      id: row.messageId,
      name: row.name,
      spaceId: (JSON.parse(row.body) as { ctx: { spaceId: string | null } }).ctx.spaceId,
      body: row.body,
    }));
  }

  async dropDead(message: InboxEntry): Promise<void> {
    await this.database.system('drop a dead letter that was handled', (tx) =>
      tx.run('delete from dead_letter where consumer = $1 and message_id = $2', [message.consumer, message.id]),
    );
  }

  isTimeout(error: unknown): boolean {
    return isStatementTimeout(error);
  }

  isReachable(): Promise<boolean> {
    return this.database.isReachable();
  }

  async countDead(): Promise<number> {
    const rows = await this.database.systemRead('count dead letters', [
      { sql: 'select count(*)::int as letters from dead_letter', params: [] },
    ]);
    return Number(rows[0]?.[0]?.letters ?? 0);
  }

  /** Newest first, without their bodies. */
  listDead({ limit, beforeAt, beforeId }: LostWorkPage): Promise<DeadLetter[]> {
    return this.database.system('list dead letters', (tx) =>
      tx.query<DeadLetter>(
        `select ${LETTER} from dead_letter
          where $2::timestamptz is null or (date_trunc('milliseconds', last_at), message_id) < ($2, $3::uuid)
          order by date_trunc('milliseconds', last_at) desc, message_id desc limit $1`,
        [limit, beforeAt ?? null, beforeId ?? null],
      ),
    );
  }

  /** Null: all. A letter that crashed processes starts at one loss again. */
  requeueDead(messageId: string | null): Promise<number> {
    return this.database.system('send dead letters back', (tx) => this.requeue(tx, messageId));
  }

  /** As `requeueDead`, for one; returns the requeued letter. */
  requeueOne(messageId: string): Promise<DeadLetter[]> {
    return this.database.system('send a dead letter back', async (tx) => {
      await this.requeue(tx, messageId);
      return tx.query<DeadLetter>(`select ${LETTER} from dead_letter where message_id = $1`, [messageId]);
    });
  }

  async requeue(tx: Tx, messageId: string | null): Promise<number> {
    await tx.run(`delete from lost_work where kind = $1 and ($2::uuid is null or id = $2)`, [KIND, messageId]);
    return tx.count(
      'update dead_letter set requeued_at = clock_timestamp() where $1::uuid is null or message_id = $1',
      [messageId],
    );
  }

  /** Deletes a letter for good and returns it. */
  discardDead(messageId: string): Promise<DeadLetter[]> {
    return this.database.system('discard dead letters', async (tx) => {
      await this.losses.reset(tx, KIND, messageId);
      return tx.query<DeadLetter>(
        `delete from dead_letter where message_id = $1
         returning ${LETTER}`,
        [messageId],
      );
    });
  }

  /** Deletes up to `limit` of each kind; returns the largest number deleted of a kind. */
  async deleteOld(tx: Tx, days: { inbox: number; dead: number }, limit: number): Promise<number> {
    const old = 'clock_timestamp() - make_interval(days => $1)';
    const remove = (table: string, which: string, params: unknown[]): Promise<number> =>
      tx.count(
        `delete from ${table} where ctid = any (array(select ctid from ${table} where ${which} limit $${params.length} for update skip locked))`,
        params,
      );
    const counts = [
      await remove('inbox', `seen_at < ${old}`, [days.inbox, limit]),
      await remove('inbox_failure', `last_at < ${old}`, [days.inbox, limit]),
      // Requeued ones are excluded.
      await remove('dead_letter', `last_at < ${old} and requeued_at is null`, [days.dead, limit]),
      await remove('idempotency', 'expires_at < (select clock_timestamp())', [limit]),
    ];
    return Math.max(...counts);
  }
}

export interface DeadLetter {
  consumer: string;
  messageId: string;
  spaceId: string | null;
  name: string;
  /** Size of its body. */
  bytes: number;
  attempts: number;
  error: string;
  firstAt: string;
  lastAt: string;
  requeuedAt: string | null;
}
