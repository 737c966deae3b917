import type { NatsConnection } from 'nats';

interface Servers {
  servers: unknown[];
  getCurrentServer(): unknown;
  selectServer(): unknown;
}

/**
 * After its first connect the client would reconnect to the same server first; if that one is frozen, the whole connect
 * time-out passes before another is tried. Later connects move their server to the end by themselves.
 */
export function avoidLastServer(connection: NatsConnection): void {
  const { servers } = (connection as unknown as { protocol: { servers: Servers } }).protocol;
  if (servers.servers[0] === servers.getCurrentServer()) servers.selectServer();
}
