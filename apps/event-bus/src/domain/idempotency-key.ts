import { invalid } from '@switchyard/kernel';

const FORM = /^\P{C}{1,255}$/u;

export function checkIdempotencyKey(key: string): void {
  if (!FORM.test(key)) throw invalid('idempotencyKey', 'must be 1 to 255 printable characters');
}
