import { jsonBytes } from './json-bytes';

/** How many bytes of JSON one answer of a list may have. */
export const PAGE_BYTES = 2 * 1024 * 1024;

/**
 * A page that fits: its first rows up to the budget, at least one, with the cursor of the last row kept. `cursorOf`
 * is only asked when rows are left out; a page that fits is returned as it is.
 */
export function fitPage<Row, P extends { items: Row[]; nextCursor: string | null }>(
  page: P,
  cursorOf: (last: Row) => string,
  budget = PAGE_BYTES,
): P {
  let bytes = 0;
  let kept = 0;
  for (const row of page.items) {
    bytes += jsonBytes(row, budget - bytes) + 1;
    if (bytes > budget && kept > 0) break;
    kept += 1;
  }
  if (kept === page.items.length) return page;
  const items = page.items.slice(0, kept);
  return { ...page, items, nextCursor: cursorOf(items[kept - 1] as Row) };
}
