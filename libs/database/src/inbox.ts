import type { Database, Read } from './database';
import { isStatementTimeout } from './errors';
import type { Tx } from './tx';

const LAST_ATTEMPT = 8;
/** A process that takes a letter and dies leaves it to the next one after so long. */
const REQUEUE_LEASE_SECONDS = 60;

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

class Seen extends Error {}

/** The inbox and the dead letters of a service, as the event consumers of the messaging library need them. */
export class Inbox {
  readonly lookout;

  constructor(private readonly database: Database) {
    this.lookout = database.lookouts.for(anyRequeued);
  }

  /** The effect and the inbox row commit together: this key, not the carrier's acknowledgement, is what makes it once. */
  async receive(message: InboxEntry, effect: (tx: unknown) => Promise<void>): Promise<'done' | 'seen'> {
    const work = async (tx: Tx): Promise<void> => {
      const fresh = await tx.prepared(
        'inbox-note',
        'insert into inbox (consumer, message_id) values ($1, $2) on conflict do nothing returning 1',
        [message.consumer, message.id],
      );
      if (fresh.length === 0) throw new Seen();
      await effect(tx);
    };
    try {
      await this.database.inSpace(message.spaceId, work);
      return 'done';
    } catch (error) {
      if (error instanceof Seen) return 'seen';
      throw error;
    }
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
      await tx.run(
        `insert into dead_letter (consumer, message_id, name, body, attempts, error) values ($1, $2, $3, $4, $5, $6)
         on conflict (consumer, message_id) do update set attempts = dead_letter.attempts + 1, error = $6, last_at = clock_timestamp(), requeued_at = null`,
        [message.consumer, message.id, message.name, message.body, row?.attempts ?? 0, error.slice(0, 2000)],
      );
      return { dead: true };
    });
  }

  /** They stay until `dropDead`, or until they have failed again: a crash loses none. */
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

  listDead(limit: number): Promise<DeadLetter[]> {
    return this.database.system('list dead letters', (tx) =>
      tx.query<DeadLetter>(
        'select consumer, message_id, name, attempts, error, first_at, last_at, requeued_at from dead_letter order by last_at desc limit $1',
        [limit],
      ),
    );
  }

  requeueDead(messageId: string | null): Promise<number> {
    return this.database.system('send dead letters back', (tx) =>
      tx.count('update dead_letter set requeued_at = clock_timestamp() where $1::uuid is null or message_id = $1', [
        messageId,
      ]),
    );
  }

  /** Of each kind at most so many; how many there were of the kind that had most. */
  async forgetOld(tx: Tx, days: { inbox: number; dead: number }, limit: number): Promise<number> {
    const old = 'clock_timestamp() - make_interval(days => $1)';
    const forget = (table: string, which: string, params: unknown[]): Promise<number> =>
      tx.count(
        `delete from ${table} where ctid = any (array(select ctid from ${table} where ${which} limit $${params.length} for update skip locked))`,
        params,
      );
    const counts = [
      await forget('inbox', `seen_at < ${old}`, [days.inbox, limit]),
      await forget('inbox_failure', `last_at < ${old}`, [days.inbox, limit]),
      // One that was sent back is on its way.
      await forget('dead_letter', `last_at < ${old} and requeued_at is null`, [days.dead, limit]),
      await forget('idempotency', 'expires_at < (select clock_timestamp())', [limit]),
    ];
    return Math.max(...counts);
  }
}

export interface DeadLetter {
  consumer: string;
  messageId: string;
  name: string;
  attempts: number;
  error: string;
  firstAt: string;
  lastAt: string;
  requeuedAt: string | null;
}
