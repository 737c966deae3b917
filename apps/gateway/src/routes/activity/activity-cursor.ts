import { type CursorPart, decodeCursor, encodeCursor, isId, notACursor } from '@switchyard/kernel';

const LIST = 'activity';
const EXACT_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Where a row stands among the rows of all kinds: by its time in microseconds, then by its key. */
export interface CursorPosition {
  at: string;
  key: string;
}

export const newestFirst = (a: CursorPosition, b: CursorPosition): number =>
  a.at === b.at ? (a.key < b.key ? 1 : -1) : a.at < b.at ? 1 : -1;

export const cursorOf = ({ at, key }: CursorPosition): string => encodeCursor(LIST, [at, key]);

export function positionOf(cursor: string | undefined): CursorPosition | null {
  if (cursor === undefined) return null;
  const [at, key, ...more]: CursorPart[] = decodeCursor(LIST, cursor);
  if (typeof at !== 'string' || !EXACT_TIME.test(at) || Number.isNaN(Date.parse(at)) || !isId(key) || more.length > 0)
    throw notACursor();
  return { at, key };
}
