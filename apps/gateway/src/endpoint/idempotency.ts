import type { Idempotency } from '@switchyard/contracts';
import { checkIdempotencyKey, fingerprint, invalid } from '@switchyard/kernel';

/** What makes a call the same as an earlier one: the caller's key on this route, and what the key came with. */
export function idempotencyOf(key: unknown, route: string, content: unknown): Idempotency | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string') throw invalid('idempotencyKey', 'must be a text');
  checkIdempotencyKey(key);
  return { key, route, fingerprint: fingerprint(content) };
}
