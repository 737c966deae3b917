import { DEFAULT_PAGE, type Page, type PageRequest } from '@switchyard/contracts';
import { type CursorPart, decodeCursor, encodeCursor, fitPage, isId, notACursor } from '@switchyard/kernel';

/** Range of rows of a page. */
export interface PageWindow<Place> {
  /** Position of the reader's last row; null for the first page. */
  after: Place | null;
  /** One row more than the page, to see whether there is another page. */
  take: number;
}

/** Converts a row's position to cursor parts and back. */
interface PlaceFormat<Row, Place> {
  partsOf(row: Row): CursorPart[];
  /** Undefined for parts that this list never issued. */
  placeOf(parts: readonly CursorPart[]): Place | undefined;
}

/**
 * A paged list. A page is limited in rows and bytes, with at least one row; its cursor continues after the last row.
 */
export class CursorList<Base, Place> {
  constructor(
    private readonly name: string,
    private readonly format: PlaceFormat<Base, Place>,
  ) {}

  windowOf({ cursor, limit = DEFAULT_PAGE }: PageRequest): PageWindow<Place> {
    return { after: cursor === undefined ? null : this.placeOf(cursor), take: limit + 1 };
  }

  /** `rows` were read with `window`; for lists that omit rows over the byte limit, `found` counts those too. */
  pageOf<Row extends Base, View = Row>(
    rows: readonly Row[],
    { take }: PageWindow<Place>,
    viewOf: (row: Row) => View = (row) => row as unknown as View,
    found = rows.length,
  ): Page<View> {
    const shown = rows.slice(0, take - 1);
    const views = { items: shown.map(viewOf), nextCursor: null };
    const { items } = fitPage<View, Page<View>>(views, () => '');
    const last = shown[items.length - 1];
    const hasMore = found > items.length && last !== undefined;
    return { items, nextCursor: hasMore ? this.cursorOf(last) : null };
  }

  /** For lists that know whether there is more. */
  cursorOf(last: Base): string {
    return encodeCursor(this.name, this.format.partsOf(last));
  }

  private placeOf(cursor: string): Place {
    const place = this.format.placeOf(decodeCursor(this.name, cursor));
    if (place === undefined) throw notACursor();
    return place;
  }
}

/** Sorted by id, newest first. */
export const listById = (name: string): CursorList<{ id: string }, string> =>
  new CursorList(name, {
    partsOf: ({ id }) => [id],
    placeOf: ([id, ...more]) => (isId(id) && more.length === 0 ? id : undefined),
  });

/** Sorted by a number. */
export const listByNumber = <Row>(name: string, numberOf: (row: Row) => number): CursorList<Row, number> =>
  new CursorList(name, {
    partsOf: (row) => [numberOf(row)],
    placeOf: ([number, ...more]) => (isCount(number) && more.length === 0 ? number : undefined),
  });

/** Position in a list sorted by time and id, newest first. */
export interface TimePlace {
  at: string;
  id: string;
}

export const listByTime = <Row>(name: string, placeOf: (row: Row) => TimePlace): CursorList<Row, TimePlace> =>
  new CursorList(name, {
    partsOf: (row) => {
      const { at, id } = placeOf(row);
      return [at, id];
    },
    placeOf: ([at, id, ...more]) => (isTime(at) && isId(id) && more.length === 0 ? { at, id } : undefined),
  });

const isCount = (part: CursorPart | undefined): part is number =>
  typeof part === 'number' && Number.isSafeInteger(part) && part >= 0;

const isTime = (part: CursorPart | undefined): part is string =>
  typeof part === 'string' && /^\d{4}-/.test(part) && !Number.isNaN(Date.parse(part));
