const counts = new WeakMap<object, number>();

export const isCounted = (value: object): boolean => counts.has(value);

/** How many fields an object has. Counting takes as long as there are fields, so each object is counted once. */
export function countFields(value: object): number {
  const counted = counts.get(value);
  if (counted !== undefined) return counted;
  const { length } = Object.keys(value);
  counts.set(value, length);
  return length;
}
