const words = new Map<string, string>();

/** What is said where a value does not match: "must be ...". Two descriptions of one pattern are a defect. */
export function describePattern(pattern: string, allows: string): void {
  const known = words.get(pattern);
  if (known !== undefined && known !== allows)
    throw new Error(`The pattern ${pattern} is described as "${known}" and as "${allows}".`);
  words.set(pattern, allows);
}

/** Patterns of users' schemas have no description: they are shown as they are, cut where they are long. */
export const wordsOfPattern = (pattern: string): string =>
  words.get(pattern) ?? `must match the pattern ${pattern.length > 200 ? `${pattern.slice(0, 200)}...` : pattern}`;
