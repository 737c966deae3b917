import { type AppError, invalid } from './errors';

export type CursorPart = string | number | boolean | null;

const MAX_PARTS = 8;

export const notACursor = (): AppError => invalid('cursor', 'is not a cursor of this list; start again without it');

/** Encodes the end of a page. The cursor carries its list's name, so other lists reject it. */
export const encodeCursor = (list: string, parts: CursorPart[]): string =>
  Buffer.from(JSON.stringify([list, ...parts])).toString('base64url');

/** Decodes a cursor of this list, or throws VALIDATION_ERROR. The list checks the parts. */
export function decodeCursor(list: string, text: string, mostCharacters = 4096): CursorPart[] {
  if (text.length > mostCharacters || !/^[A-Za-z0-9_-]+$/.test(text)) throw notACursor();
  const [name, ...parts] = elementsOf(Buffer.from(text, 'base64url').toString('utf8'));
  if (name !== list || parts.length > MAX_PARTS || !parts.every(isPart)) throw notACursor();
  if (parts.some((part) => typeof part === 'string' && part.includes('\u0000'))) throw notACursor();
  return parts;
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
