import { ErrorDetail } from '@switchyard/kernel';
import type { Validator } from './compile';

/** As many faults of a body are named together. */
const NAMED = 5;
/** Values of a body that is looked at once more, for all its faults: of a larger one the first has to do. */
const VALUES = 1000;

/** Whether a value holds at most so many values, itself included. */
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

/** One fault a field: what is said of a field and of what lies in it is the same fault, told by another rule. */
function onePerField(details: readonly ErrorDetail[]): ErrorDetail[] {
  const named: ErrorDetail[] = [];
  for (const detail of details) {
    if (named.length === NAMED) break;
    if (!named.some(({ path }) => isWithin(path, detail.path) || isWithin(detail.path, path))) named.push(detail);
  }
  return named;
}

/** What else is wrong with a value, behind the fault that was found first. */
export function allFaults(first: readonly ErrorDetail[], value: unknown, findAll: () => Validator): ErrorDetail[] {
  const all = isSmall(value) ? (findAll()(value) ?? []) : [];
  return onePerField([...first, ...all]);
}
