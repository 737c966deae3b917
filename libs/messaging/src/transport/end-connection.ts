import { sleep } from '@switchyard/kernel';
import type { NatsConnection } from 'nats';

/** Lets what is under way leave first, where there is somebody to take it, and for so long at most. */
export async function endConnection(connection: NatsConnection, isUp: boolean, withinMs: number): Promise<void> {
  if (connection.isClosed()) return;
  if (isUp) {
    const done = new AbortController();
    await Promise.race([connection.drain(), sleep(withinMs, done.signal)]);
    done.abort();
  }
  if (!connection.isClosed()) await connection.close();
}
