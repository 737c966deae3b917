import { jsonBytes } from './json-bytes';

/** Most bytes of JSON in one page of a list. */
export const PAGE_BYTES = 2 * 1024 * 1024;

/**
 * Cuts a page to the byte budget, to one row at least, and sets the cursor of the last row. A page that fits is
 * returned unchanged.
 */
export function fitPage<Row, P extends { items: Row[]; nextCursor: string | null }>(
  page: P,
  cursorOf: (last: Row) => string,
  budget = PAGE_BYTES,
): P {
  let bytes = 0;
  let fitting = 0;
  for (const row of page.items) {
    bytes += jsonBytes(row, budget - bytes) + 1;
    if (bytes > budget && fitting > 0) break;
    fitting += 1;
  }
  if (fitting === page.items.length) return page;
  const items = page.items.slice(0, fitting);
  return { ...page, items, nextCursor: cursorOf(items[fitting - 1] as Row) };
}
