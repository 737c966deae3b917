import { invalid } from './errors';

/** No control characters, lone surrogates, unassigned characters or line separators. */
const FORM = /^[^\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]{1,255}$/u;

export function checkIdempotencyKey(key: string): void {
  if (!FORM.test(key)) throw invalid('idempotencyKey', 'must be 1 to 255 printable characters');
}
