import { DEFAULT_PAGE, type Page, type PageRequest } from '@switchyard/contracts';
import { encodeCursor, fitPage, idOfCursor } from '@switchyard/kernel';

export interface PageWindow {
  list: string;
  after: string | null;
  limit: number;
}

/** Lists run down the ids, newest first; the cursor is the last id that was shown. */
export const windowOf = (list: string, { cursor, limit = DEFAULT_PAGE }: PageRequest): PageWindow => ({
  list,
  after: idOfCursor(list, cursor),
  limit,
});

/** `rows` was asked for with one more than the page holds. */
export function pageFrom<Row extends { id: string }>(rows: Row[], { list, limit }: PageWindow): Page<Row> {
  const cursorOf = ({ id }: Row): string => encodeCursor(list, [id]);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return fitPage({ items, nextCursor: rows.length > limit && last ? cursorOf(last) : null }, cursorOf);
}
