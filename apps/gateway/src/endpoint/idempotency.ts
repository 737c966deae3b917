import type { Idempotency } from '@switchyard/contracts';
import { canonicalParts, checkIdempotencyKey, fingerprint, invalid } from '@switchyard/kernel';
import { createHash } from 'node:crypto';
import { Pace } from '../http/pace';

const HASHED_AT_ONCE = 64 * 1024;

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
  const pace = new Pace();
  const hash = createHash('sha256');
  let text = '';
  for (const part of canonicalParts(content)) {
    text += part;
    if (text.length < HASHED_AT_ONCE) continue;
    hash.update(text);
    text = '';
    if (pace.isDue) await pace.rest();
  }
  return { key, route, fingerprint: hash.update(text).digest('base64url') };
}
