import type { Idempotency } from '@switchyard/contracts';
import { AppError, fingerprint } from '@switchyard/kernel';

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** What makes a call the same as an earlier one: the caller's key on this route, and what the key came with. */
export function idempotencyOf(key: unknown, route: string, content: unknown): Idempotency | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw new AppError('VALIDATION_ERROR', 'An idempotency key has 1 to 255 printable characters.', {
      details: [{ path: 'idempotencyKey', message: 'must be 1 to 255 printable characters' }],
    });
  }
  return { key, route, fingerprint: fingerprint(content) };
}
