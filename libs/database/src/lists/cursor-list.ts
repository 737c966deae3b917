import { DEFAULT_PAGE, type Page, type PageRequest } from '@switchyard/contracts';
import { type CursorPart, decodeCursor, encodeCursor, fitPage, isId, notACursor } from '@switchyard/kernel';

/** Range of rows of a page. */
export interface PageWindow<Position> {
  /** Position of the reader's last row; null for the first page. */
  after: Position | null;
  /** One row more than the page, to see whether there is another page. */
  take: number;
}

/** Converts a row's position to cursor parts and back. */
interface PositionFormat<Row, Position> {
  partsOf(row: Row): CursorPart[];
  /** Undefined for parts that this list never issued. */
  positionOf(parts: readonly CursorPart[]): Position | undefined;
}

/**
 * A paged list. A page is limited in rows and bytes, with at least one row; its cursor continues after the last row.
 */
export class CursorList<Base, Position> {
  constructor(
    private readonly name: string,
    private readonly format: PositionFormat<Base, Position>,
  ) {}

  windowOf({ cursor, limit = DEFAULT_PAGE }: PageRequest): PageWindow<Position> {
    return { after: cursor === undefined ? null : this.positionOf(cursor), take: limit + 1 };
  }

  /** `rows` were read with `window`; for lists that omit rows over the byte limit, `found` counts those too. */
  pageOf<Row extends Base, View = Row>(
    rows: readonly Row[],
    { take }: PageWindow<Position>,
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

  private positionOf(cursor: string): Position {
    const position = this.format.positionOf(decodeCursor(this.name, cursor));
    if (position === undefined) throw notACursor();
    return position;
  }
}

/** Sorted by id, newest first. */
export const listById = (name: string): CursorList<{ id: string }, string> =>
  new CursorList(name, {
    partsOf: ({ id }) => [id],
    positionOf: ([id, ...more]) => (isId(id) && more.length === 0 ? id : undefined),
  });

/** Sorted by a number. */
export const listByNumber = <Row>(name: string, numberOf: (row: Row) => number): CursorList<Row, number> =>
  new CursorList(name, {
    partsOf: (row) => [numberOf(row)],
    positionOf: ([number, ...more]) => (isCount(number) && more.length === 0 ? number : undefined),
  });

/** Position in a list sorted by time and id, newest first. */
export interface TimePosition {
  at: string;
  id: string;
}

export const listByTime = <Row>(name: string, positionOf: (row: Row) => TimePosition): CursorList<Row, TimePosition> =>
  new CursorList(name, {
    partsOf: (row) => {
      const { at, id } = positionOf(row);
      return [at, id];
    },
    positionOf: ([at, id, ...more]) => (isTime(at) && isId(id) && more.length === 0 ? { at, id } : undefined),
  });

const isCount = (part: CursorPart | undefined): part is number =>
  typeof part === 'number' && Number.isSafeInteger(part) && part >= 0;

const isTime = (part: CursorPart | undefined): part is string =>
  typeof part === 'string' && /^\d{4}-/.test(part) && !Number.isNaN(Date.parse(part));
