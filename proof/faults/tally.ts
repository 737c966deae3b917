/** How many there are of each name. */
export const tally = (names: readonly (string | null)[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name ?? 'unknown'] = (counts[name ?? 'unknown'] ?? 0) + 1;
  return counts;
};
