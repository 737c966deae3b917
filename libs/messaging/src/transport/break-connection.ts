import type { Socket } from 'node:net';
import type { NatsConnection } from 'nats';

interface Carried {
  protocol: { transport: { socket?: Socket } };
}

/** Forces a reconnect. The client's `reconnect()` first flushes, and a stuck server reads nothing. */
export function breakConnection(connection: NatsConnection): void {
  (connection as unknown as Carried).protocol.transport.socket?.destroy();
}
