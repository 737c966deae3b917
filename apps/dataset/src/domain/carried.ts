/** What one answer can carry between services, with room for characters of several bytes. */
export const MOST_CHARACTERS = 4_000_000;

/** The first records of a page that fit into one answer, at least one; the cursor goes on behind the last of them. */
export function carried<T extends Record<string, unknown>>(records: readonly T[]): T[] {
  let length = 0;
  const end = records.findIndex((record, index) => {
    length += lengthOf(record);
    return index > 0 && length > MOST_CHARACTERS;
  });
  return end < 0 ? [...records] : records.slice(0, end);
}

function lengthOf(record: Record<string, unknown>): number {
  let length = 0;
  for (const value of Object.values(record)) {
    if (typeof value === 'string') length += value.length;
    else if (typeof value === 'object' && value !== null) length += JSON.stringify(value).length;
  }
  return length;
}
