import { sleep } from '@switchyard/kernel';
import type { NatsConnection } from 'nats';

/** Drains the connection if it is up, for a limited time. */
export async function endConnection(connection: NatsConnection, isUp: boolean, withinMs: number): Promise<void> {
  if (connection.isClosed()) return;
  if (isUp) {
    const done = new AbortController();
    await Promise.race([connection.drain(), sleep(withinMs, done.signal)]);
    done.abort();
  }
  if (!connection.isClosed()) await connection.close();
}
