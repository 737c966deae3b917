import { ErrorDetail } from '@switchyard/kernel';
import type { Validator } from './compile';

/** Most errors that are reported together. */
const NAMED = 5;
/** Bodies with more values are not checked again for further errors. */
const VALUES = 1000;

/** Whether a value contains at most this many values, itself included. */
function isSmall(value: unknown): boolean {
  const waiting = [value];
  for (let seen = 0; seen < waiting.length; seen += 1) {
    const next = waiting[seen];
    if (typeof next !== 'object' || next === null) continue;
    for (const name in next) {
      if (waiting.length > VALUES) return false;
      waiting.push((next as Record<string, unknown>)[name]);
    }
  }
  return true;
}

const isWithin = (path: string, other: string): boolean =>
  other === '' || path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`);

/** One error a field: an error of a nested field reports the same problem. */
function onePerField(details: readonly ErrorDetail[]): ErrorDetail[] {
  const named: ErrorDetail[] = [];
  for (const detail of details) {
    if (named.length === NAMED) break;
    if (!named.some(({ path }) => isWithin(path, detail.path) || isWithin(detail.path, path))) named.push(detail);
  }
  return named;
}

/** All errors of a value, after the first check has failed. */
export function allFaults(first: readonly ErrorDetail[], value: unknown, findAll: () => Validator): ErrorDetail[] {
  const all = isSmall(value) ? (findAll()(value) ?? []) : [];
  return onePerField([...first, ...all]);
}
