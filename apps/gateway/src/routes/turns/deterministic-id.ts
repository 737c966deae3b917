import { createHash } from 'node:crypto';
import { checkIdempotencyKey, isId, newId } from '@switchyard/kernel';
import { decodeHeader } from '../../http/decode-header';

/**
 * The id of what others have named: equal names give equal ids. Not `uuidOf` of the kernel, whose ids differ in one
 * letter: threads and turns that there are have these.
 */
export function namedId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A name that is an id names itself. */
export const idOrNamed = (given: unknown, name: string): string => (isId(given) ? given.toLowerCase() : namedId(name));

/** Equal idempotency keys of a route name equal turns; the user and the Space are part of a turn's name already. */
export function turnIdOfKey(route: string, key: string | undefined): string {
  if (key === undefined) return newId();
  const name = decodeHeader(key);
  checkIdempotencyKey(name);
  return namedId(`${route} ${name}`);
}
