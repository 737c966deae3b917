import type { PoolClient } from 'pg';

/** The SQLSTATE with which a trigger says, once a transaction, that it wrote to the outbox. */
export const TRIGGER_WROTE = 'SWOUT';

/**
 * Connections whose transaction had a trigger write to the outbox. The server sends the notice before the answer to the
 * commit, so the process that commits needs no query to learn of it.
 */
export class TriggerNotices {
  private readonly followed = new WeakSet<PoolClient>();
  private readonly wrote = new WeakSet<PoolClient>();

  follow(client: PoolClient): void {
    if (this.followed.has(client)) return;
    this.followed.add(client);
    client.on('notice', ({ code }) => {
      if (code === TRIGGER_WROTE) this.wrote.add(client);
    });
  }

  /** Whether a trigger wrote since the last call. */
  take(client: PoolClient): boolean {
    return this.wrote.delete(client);
  }
}
