/**
 * What `{ ...one, ...more }` makes, for hot paths: each property that a spread object gets in addition takes Node 20 most
 * of a microsecond, all of them together a tenth of that here. What a caller has sent must have been checked before, for
 * a key called `__proto__` is set and not kept.
 */
export const joined = <One extends object, More extends object>(
  one: One | undefined,
  more: More,
): Omit<One, keyof More> & More =>
  // oxlint-disable-next-line no-restricted-properties
  Object.assign({}, one, more);
