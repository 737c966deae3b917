import type { NatsConnection } from 'nats';

interface Servers {
  servers: unknown[];
  getCurrentServer(): unknown;
  selectServer(): unknown;
}

/**
 * After its first connect the client would turn to the same server first when that is lost, and one that is frozen
 * takes its connection without a word: all of the connect's time would be waited before another is tried. Every later
 * connect puts its server last by itself.
 */
export function firstElsewhere(connection: NatsConnection): void {
  const { servers } = (connection as unknown as { protocol: { servers: Servers } }).protocol;
  if (servers.servers[0] === servers.getCurrentServer()) servers.selectServer();
}
