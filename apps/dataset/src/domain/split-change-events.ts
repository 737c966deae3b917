import type { WrittenRow } from '@switchyard/contracts';

const PART_ROWS = 100;
const PART_LENGTH = 400_000;

/**
 * Rows in groups small enough to be carried. A row that is too large by itself goes without its values, and says so.
 */
export function splitChangeEvents(rows: readonly WrittenRow[]): WrittenRow[][] {
  const parts: WrittenRow[][] = [];
  let part: WrittenRow[] = [];
  let length = 0;
  for (const row of rows) {
    const own = JSON.stringify(row).length;
    const fits = own <= PART_LENGTH;
    const carried: WrittenRow = fits ? row : { id: row.id, before: null, after: null, tooLarge: true };
    const added = fits ? own : 100;
    if (part.length > 0 && (part.length >= PART_ROWS || length + added > PART_LENGTH)) {
      parts.push(part);
      part = [];
      length = 0;
    }
    part.push(carried);
    length += added;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
