import { type AppError, invalid } from './errors';
import { isId } from './ids';

export type CursorPart = string | number | boolean | null;

const MOST_PARTS = 8;

export const notACursor = (): AppError => invalid('cursor', 'is not a cursor of this list; start again without it');

/** Where a page of a list ended. The cursor bears the name of its list, so that no other list takes it. */
export const encodeCursor = (list: string, parts: CursorPart[]): string =>
  Buffer.from(JSON.stringify([list, ...parts])).toString('base64url');

/** Reads a cursor that this list gave out; anything else is the caller's mistake. What the parts are, the list knows. */
export function decodeCursor(list: string, text: string, mostCharacters = 4096): CursorPart[] {
  if (text.length > mostCharacters || !/^[A-Za-z0-9_-]+$/.test(text)) throw notACursor();
  const [name, ...parts] = elementsOf(Buffer.from(text, 'base64url').toString('utf8'));
  if (name !== list || parts.length > MOST_PARTS || !parts.every(isPart)) throw notACursor();
  if (parts.some((part) => typeof part === 'string' && part.includes('\u0000'))) throw notACursor();
  return parts;
}

/** The id that a page ended with; null at the beginning of the list. */
export function idOfCursor(list: string, cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const [id, ...more] = decodeCursor(list, cursor);
  if (!isId(id) || more.length > 0) throw notACursor();
  return id;
}

/** The same for a list that counts its rows. */
export function numberOfCursor(list: string, cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const [number, ...more] = decodeCursor(list, cursor);
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0 || more.length > 0) throw notACursor();
  return number;
}

const isPart = (part: unknown): part is CursorPart =>
  part === null || typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean';

function elementsOf(text: string): unknown[] {
  try {
    const elements: unknown = JSON.parse(text);
    return Array.isArray(elements) ? elements : [];
  } catch {
    return [];
  }
}
