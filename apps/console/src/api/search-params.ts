export type Given = Record<string, unknown>;
type Reader<T> = (given: unknown) => T | undefined;
type Found<R extends Record<string, Reader<unknown>>> = { [N in keyof R]?: Exclude<ReturnType<R[N]>, undefined> };

/**
 * Reads a page's search parameters. Invalid values are dropped, so a page never sends them to the API. The router
 * parses numbers and JSON; strings stay strings.
 */
export const searchOf =
  <R extends Record<string, Reader<unknown>>>(readers: R) =>
  (given: Given): Found<R> =>
    Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(given[name])])) as Found<R>;

export const text: Reader<string> = (given) => {
  if (given === undefined || given === null || given === '') return undefined;
  return typeof given === 'string' ? given : JSON.stringify(given);
};

export const oneOf =
  <const T extends string>(existing: readonly T[]): Reader<T> =>
  (given) =>
    existing.find((one) => one === text(given));

export const id: Reader<string> = (given) => {
  const written = text(given);
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u.test(written ?? '') ? written : undefined;
};

/** As the API takes it: with a zone. */
export const instant: Reader<string> = (given) => {
  const written = text(given);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/u.test(written ?? '');
  return isTime && !Number.isNaN(Date.parse(written ?? '')) ? written : undefined;
};

/** A list or an object of JSON, as it is: its screen reads it. */
export const json: Reader<object> = (given) => {
  if (typeof given === 'object' && given !== null) return given;
  return undefined;
};
