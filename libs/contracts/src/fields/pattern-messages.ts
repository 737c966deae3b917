const words = new Map<string, string>();

/** Registers the message for a pattern: "must be ...". Two descriptions of one pattern are a bug. */
export function describePattern(pattern: string, allows: string): void {
  const existing = words.get(pattern);
  if (existing !== undefined && existing !== allows)
    throw new Error(`The pattern ${pattern} is described as "${existing}" and as "${allows}".`);
  words.set(pattern, allows);
}

/** Users' patterns have no description: they are quoted, truncated if long. */
export const wordsOfPattern = (pattern: string): string =>
  words.get(pattern) ?? `must match the pattern ${pattern.length > 200 ? `${pattern.slice(0, 200)}...` : pattern}`;
