import { invalid } from './errors';

export type CursorPart = string | number | boolean | null;

export const encodeCursor = (parts: CursorPart[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** Reads a cursor that a list gave out; anything else is the caller's mistake. */
export function decodeCursor(text: string, mostCharacters = 4096): CursorPart[] {
  const wrong = invalid('cursor', 'is not a cursor of this list; start again without it');
  if (text.length > mostCharacters || !/^[A-Za-z0-9_-]+$/.test(text)) throw wrong;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw wrong;
  }
  const isPart = (part: unknown): part is CursorPart =>
    part === null || typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean';
  if (!Array.isArray(parts) || parts.length > 8 || !parts.every(isPart)) throw wrong;
  if (parts.some((part) => typeof part === 'string' && part.includes('\u0000'))) throw wrong;
  return parts;
}
