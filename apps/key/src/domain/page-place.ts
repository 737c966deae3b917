import { DEFAULT_PAGE, type Page, type PageRequest } from '@switchyard/contracts';
import { decodeCursor, encodeCursor, isId, notACursor } from '@switchyard/kernel';

/** A place in a list that is sorted by time and id, newest first. */
export interface Place {
  at: string;
  id: string;
}

export interface PageQuery {
  below: Place | null;
  /** One more than asked for: the extra row tells whether there is another page. */
  limit: number;
}

export const pageLimit = (request: PageRequest): number => request.limit ?? DEFAULT_PAGE;

export function pageQuery(list: string, request: PageRequest): PageQuery {
  const limit = pageLimit(request) + 1;
  if (request.cursor === undefined) return { below: null, limit };
  const [at, id] = decodeCursor(list, request.cursor);
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at)) || !isId(id)) throw notACursor();
  return { below: { at, id }, limit };
}

export function pageOfRows<Row, View>(
  list: string,
  rows: readonly Row[],
  request: PageRequest,
  placeOf: (row: Row) => Place,
  view: (row: Row) => View,
): Page<View> {
  const shown = rows.slice(0, pageLimit(request));
  const last = shown.at(-1);
  const nextCursor =
    rows.length > shown.length && last ? encodeCursor(list, [placeOf(last).at, placeOf(last).id]) : null;
  return { items: shown.map(view), nextCursor };
}
