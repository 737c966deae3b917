import { DEFAULT_PAGE, type Page, type PageRequest } from '@switchyard/contracts';
import { type CursorPart, decodeCursor, encodeCursor, invalid, isId } from '@switchyard/kernel';

export interface PageWindow {
  after: CursorPart | null;
  limit: number;
}

/** Lists run down the ids, newest first; the cursor is the last id that was shown. */
export function windowOf(request: PageRequest): PageWindow {
  const limit = request.limit ?? DEFAULT_PAGE;
  if (request.cursor === undefined) return { after: null, limit };
  const [after] = decodeCursor(request.cursor);
  if (!isId(after)) throw invalid('cursor', 'is not a cursor of this list; start again without it');
  return { after, limit };
}

/** `rows` was asked for with one more than the page holds. */
export function pageFrom<Row extends { id: string }>(rows: Row[], { limit }: PageWindow): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor([last.id]) : null };
}
