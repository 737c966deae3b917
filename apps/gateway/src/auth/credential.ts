import { isKeyShaped } from '@switchyard/contracts';

export type Credential = { kind: 'key'; value: string } | { kind: 'jwt'; value: string };

const HEADER = /^(?:bearer|apikey|api-key|token) ([\x21-\x7e]+)$/i;
const JWT = /^[A-Za-z0-9_-]{2,8192}\.[A-Za-z0-9_-]{2,8192}\.[A-Za-z0-9_-]{2,8192}$/;
const MAX_HEADER = 8192;

/** What the Authorization header holds, decided by its form alone: a key is never tried as a token, nor a token as a key. */
export function readCredential(header: string | undefined): Credential | null {
  if (header === undefined || header.length > MAX_HEADER) return null;
  const value = HEADER.exec(header)?.[1];
  if (value === undefined) return null;
  if (isKeyShaped(value)) return { kind: 'key', value };
  return JWT.test(value) ? { kind: 'jwt', value } : null;
}
