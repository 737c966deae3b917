import type { IncomingMessage } from 'node:http';
import type { Credential } from './credential';

/** NATS accounts by the requests that the NATS API has made for them. Nothing in an HTTP request leads here. */
const accounts = new WeakMap<IncomingMessage, string>();

export function actAsAccount(request: IncomingMessage, accountId: string): void {
  accounts.set(request, accountId);
}

/** Whether the NATS API has made this request, without a socket. */
export const isInternal = (request: IncomingMessage): boolean => accounts.has(request);

/** Undefined for every request that came over HTTP. */
export function internalCredential(request: IncomingMessage): Credential | undefined {
  const account = accounts.get(request);
  return account === undefined ? undefined : { kind: 'account', value: account };
}
