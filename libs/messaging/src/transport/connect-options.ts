import { randomBytes } from 'node:crypto';
import { type ConnectionOptions, nkeyAuthenticator } from 'nats';
import type { BusOptions } from '../options';

/** Private inbox of a service: other services may not subscribe to its replies. */
export const inboxPrefix = (service: string): string => `_INBOX_${service}`;

/** Subject prefix on which a service receives the chunks it fetches. */
export const partsPrefix = (service: string): string => `parts-for.${service}`;

/**
 * Random, because every service that this one calls may publish to its inbox: with a guessable name it could forge
 * replies of others.
 */
export const randomInbox = (service: string, prefix = inboxPrefix(service)): string =>
  `${prefix}.${randomBytes(12).toString('base64url')}`;

/**
 * With several servers, one that is silent for 1.6 to 2.4 seconds is left. A single server gets as long as
 * `DeadConnectionDetector` allows. The client's own pings (one in two minutes) are too slow to matter.
 */
const heartbeat = (servers: readonly string[]): Pick<ConnectionOptions, 'pingInterval' | 'maxPingOut'> =>
  servers.length > 1 ? { pingInterval: 800, maxPingOut: 2 } : {};

/** Connects in the background and reconnects forever. */
export const connectOptions = (
  { service, instance, natsUrl, nkeySeed }: Pick<BusOptions, 'instance' | 'natsUrl' | 'nkeySeed'> & { service: string },
  use?: string,
): ConnectionOptions => ({
  servers: natsUrl.split(','),
  name: [service, instance, ...(use ? [use] : [])].join('.'),
  inboxPrefix: inboxPrefix(service),
  ...(nkeySeed ? { authenticator: nkeyAuthenticator(new TextEncoder().encode(nkeySeed)) } : {}),
  // The client ignores the scheme and would fall back to plain text.
  ...(natsUrl.includes('tls://') ? { tls: {} } : {}),
  maxReconnectAttempts: -1,
  // Servers may refuse us while their users are being reloaded.
  ignoreAuthErrorAbort: true,
  waitOnFirstConnect: true,
  reconnectTimeWait: 250,
  reconnectJitter: 250,
  ...heartbeat(natsUrl.split(',')),
  // Generous for busy machines: giving up early leaves a second connection behind.
  timeout: 10_000,
  ignoreClusterUpdates: true,
  // Stack traces for each request cost a third of a call.
  noAsyncTraces: true,
});
