import { AppError, invalid, isPlainObject, type JsonObject } from '@switchyard/kernel';

/**
 * Readers of fields of any JSON: a value of another type is refused by its name, never taken for something
 * else.
 */

const isNone = (value: unknown): value is null | undefined => value === undefined || value === null;

export const stringOf = (value: unknown, path: string): string => {
  if (typeof value !== 'string') throw invalid(path, 'must be a string');
  if (value === '') throw invalid(path, 'must not be empty');
  return value;
};

export function optionalText(value: unknown, path: string): string | null {
  if (isNone(value)) return null;
  if (typeof value !== 'string') throw invalid(path, 'must be a string');
  return value;
}

export function optionalObject(value: unknown, path: string): JsonObject | null {
  if (isNone(value)) return null;
  if (!isPlainObject(value)) throw invalid(path, 'must be an object');
  return value;
}

/** A list of objects; an absent one is an empty one. */
export function objectsOf(value: unknown, path: string): JsonObject[] {
  if (isNone(value)) return [];
  if (!Array.isArray(value)) throw invalid(path, 'must be a list');
  return value.map((each: unknown, at) => {
    if (!isPlainObject(each)) throw invalid(`${path}[${at}]`, 'must be an object');
    return each;
  });
}

type Names = Readonly<Record<string, string>>;

/** Renamed request fields: the part of a path before its first dot or index. */
function renamed(path: string, names: Names): string | null {
  const [, head = '', rest = ''] = /^([^.[]*)(.*)$/s.exec(path) ?? [];
  const name = names[head];
  // A name in brackets means the whole field: its parts are named differently here.
  if (name === undefined) return null;
  return name.startsWith('(') ? name.slice(1, -1) : `${name}${rest}`;
}

/** Runs a check that names our fields in its errors; the error then names the field that the client sent. */
export async function inWordsOf<T>(names: Names, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const [detail] = error instanceof AppError && error.code === 'VALIDATION_ERROR' ? (error.details ?? []) : [];
    const path = detail ? renamed(detail.path, names) : null;
    if (!detail || path === null) throw error;
    throw invalid(path, detail.message);
  }
}

/** As `inWordsOf`, for a part of a request that is checked by itself. */
export function within<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const [detail] = error instanceof AppError ? (error.details ?? []) : [];
    if (!detail) throw error;
    throw invalid(detail.path === '' ? path : `${path}.${detail.path}`, detail.message);
  }
}
