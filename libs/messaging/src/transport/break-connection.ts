import type { Socket } from 'node:net';
import type { NatsConnection } from 'nats';

interface Carried {
  protocol: { transport: { socket?: Socket } };
}

/**
 * Breaks a connection, which then connects anew. `reconnect()` of the client first waits until everything is written, and
 * a server that is stuck reads nothing.
 */
export function breakConnection(connection: NatsConnection): void {
  (connection as unknown as Carried).protocol.transport.socket?.destroy();
}
