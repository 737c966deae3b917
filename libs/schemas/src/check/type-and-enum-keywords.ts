import { isPlainObject } from '@switchyard/kernel';
import { isSame } from './json-equality';
import { type Keyword, refuse } from './check-node';

const TYPES: Record<string, (value: unknown) => boolean> = {
  array: (value) => Array.isArray(value),
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  object: (value) => isPlainObject(value),
  string: (value) => typeof value === 'string',
};

export function typeKeyword(types: string[]): Keyword {
  const [first = () => false, ...others] = types.map((type) => TYPES[type] ?? (() => false));
  return (value, problems) =>
    first(value) || others.some((check) => check(value)) || refuse(problems, 'type', { type: types });
}

/** An error repeats at most this many allowed values: a list may have thousands. */
const SHOWN_VALUES = 50;

const isSimple = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Simple values are looked up in a set; lists and objects are compared one by one. */
export function enumKeyword(allowed: unknown[]): Keyword {
  const simple = new Set(allowed.filter(isSimple));
  const others = allowed.filter((value) => !isSimple(value));
  const shown = allowed.length > SHOWN_VALUES ? [...allowed.slice(0, SHOWN_VALUES), '...'] : allowed;
  return (value, problems) =>
    (isSimple(value) ? simple.has(value) : others.some((other) => isSame(other, value))) ||
    refuse(problems, 'enum', { allowedValues: shown });
}

export const constKeyword =
  (expected: unknown): Keyword =>
  (value, problems) =>
    isSame(expected, value) || refuse(problems, 'const', { allowedValue: expected });
