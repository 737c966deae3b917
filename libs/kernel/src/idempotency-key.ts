import { invalid } from './errors';

/** Printable is what is neither a control character, nor half of one, nor unassigned, nor a break of lines. */
const FORM = /^[^\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]{1,255}$/u;

export function checkIdempotencyKey(key: string): void {
  if (!FORM.test(key)) throw invalid('idempotencyKey', 'must be 1 to 255 printable characters');
}
