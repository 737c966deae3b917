import { randomBytes } from 'node:crypto';
import { type ConnectionOptions, nkeyAuthenticator } from 'nats';
import type { BusOptions } from '../options';

/** The private inbox of a service: no other service may listen to its replies. */
export const inboxPrefix = (service: string): string => `_INBOX_${service}`;

/** Where a service hears the parts of large messages that it fetches, and nothing else. */
export const partsPrefix = (service: string): string => `parts-for.${service}`;

/** Whoever is asked by this service may speak to its inbox: a name that can be guessed could be answered by others. */
export const randomInbox = (service: string, prefix = inboxPrefix(service)): string =>
  `${prefix}.${randomBytes(12).toString('base64url')}`;

/**
 * Where there is another server to go to, one that is silent for 1.6 to 2.4 seconds is left. A server that is the only
 * one is waited for as long as `DeadConnectionDetector` says, which loses less of what it may still answer. The client's
 * own pings, one in two minutes, come too late to matter then.
 */
const heartbeat = (servers: readonly string[]): Pick<ConnectionOptions, 'pingInterval' | 'maxPingOut'> =>
  servers.length > 1 ? { pingInterval: 800, maxPingOut: 2 } : {};

/** A connection never gives up: it starts without a server, and reconnects for ever. */
export const connectOptions = (
  { service, instance, natsUrl, nkeySeed }: Pick<BusOptions, 'instance' | 'natsUrl' | 'nkeySeed'> & { service: string },
  use?: string,
): ConnectionOptions => ({
  servers: natsUrl.split(','),
  name: [service, instance, ...(use ? [use] : [])].join('.'),
  inboxPrefix: inboxPrefix(service),
  ...(nkeySeed ? { authenticator: nkeyAuthenticator(new TextEncoder().encode(nkeySeed)) } : {}),
  // The client itself looks at no scheme: it would speak in the clear with whoever answers without TLS.
  ...(natsUrl.includes('tls://') ? { tls: {} } : {}),
  maxReconnectAttempts: -1,
  // Servers whose list of users is just being changed may refuse us for a while.
  ignoreAuthErrorAbort: true,
  waitOnFirstConnect: true,
  reconnectTimeWait: 250,
  reconnectJitter: 250,
  ...heartbeat(natsUrl.split(',')),
  // A busy machine answers late; giving up early leaves a second connection behind.
  timeout: 10_000,
  ignoreClusterUpdates: true,
  // A stack trace per request costs a third of a call, and says nothing that our own errors do not.
  noAsyncTraces: true,
});
