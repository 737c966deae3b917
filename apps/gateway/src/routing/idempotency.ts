import type { Idempotency } from '@switchyard/contracts';
import { checkIdempotencyKey, fingerprint, fingerprintOfLarge, invalid } from '@switchyard/kernel';

/** Identifies a repeated call: the caller's idempotency key on this route, and a digest of the request. */
export function idempotencyOf(key: unknown, route: string, content: unknown): Idempotency | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string') throw invalid('idempotencyKey', 'must be a string of 1 to 255 printable characters');
  checkIdempotencyKey(key);
  return { key, route, fingerprint: fingerprint(content) };
}

/** The same for content that is too large to be written and hashed in one go. */
export async function idempotencyOfLarge(key: string, route: string, content: unknown): Promise<Idempotency> {
  checkIdempotencyKey(key);
  return { key, route, fingerprint: await fingerprintOfLarge(content) };
}
