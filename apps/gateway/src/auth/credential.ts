import { isKeyShaped } from '@switchyard/contracts';
import type { IncomingHttpHeaders } from 'node:http';

export type Credential =
  | { kind: 'key'; value: string }
  | { kind: 'jwt'; value: string }
  /** The id of a NATS account: proved by the NATS server alone, and in no header of HTTP. */
  | { kind: 'account'; value: string };

const HEADER = /^(?:bearer|apikey|api-key|token) ([\x21-\x7e]+)$/i;
const JWT = /^[A-Za-z0-9_-]{2,8192}\.[A-Za-z0-9_-]{2,8192}\.[A-Za-z0-9_-]{2,8192}$/;
const MAX_HEADER = 8192;

/** Classifies the Authorization header by its form alone: a key is never tried as a token, nor a token as a key. */
export function readCredential(header: string | undefined): Credential | null {
  if (header === undefined || header.length > MAX_HEADER) return null;
  const value = HEADER.exec(header)?.[1];
  if (value === undefined) return null;
  if (isKeyShaped(value)) return { kind: 'key', value };
  return JWT.test(value) ? { kind: 'jwt', value } : null;
}

/** LangGraph's clients know no other header for their key. Nowhere else does it mean anything. */
const ITS_OWN_HEADER = /^\/langgraph\//;

/** The credential of a request, wherever its route takes it from. */
export function credentialOf({ url, headers }: { url: string; headers: IncomingHttpHeaders }): Credential | null {
  const { authorization, 'x-api-key': key } = headers;
  const isOwn = authorization === undefined && typeof key === 'string' && ITS_OWN_HEADER.test(url);
  return readCredential(isOwn ? `ApiKey ${key}` : authorization);
}
