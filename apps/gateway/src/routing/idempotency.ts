import type { Idempotency } from '@switchyard/contracts';
import { checkIdempotencyKey, fingerprint, fingerprintOfLarge, invalid } from '@switchyard/kernel';

/** What makes a call the same as an earlier one: the caller's key on this route, and what the key came with. */
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
