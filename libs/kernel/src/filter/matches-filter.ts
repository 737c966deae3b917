import { findText } from '../find-text';
import { compareText } from './compare-text';
import { compareDecimals } from './decimal';
import type { Filter, FilterTest } from './filter';
import { instantSortKey } from './instant';
import { jsonEqual } from './json-equal';

/** A field that the record lacks is missing, which is not null. */
export function matchesFilter(filter: Filter, record: Record<string, unknown>): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matchesFilter(part, record));
    case 'or':
      return filter.parts.some((part) => matchesFilter(part, record));
    case 'not':
      return !matchesFilter(filter.part, record);
    case 'test':
      return passes(filter, Object.hasOwn(record, filter.field) ? record[filter.field] : undefined);
  }
}

function passes(test: FilterTest, actual: unknown): boolean {
  const { operator, operand, type } = test;
  switch (operator) {
    case 'eq':
      return isEqual(type, actual, operand);
    case 'ne':
      return !isEqual(type, actual, operand);
    case 'in':
      return (operand as unknown[]).some((item) => isEqual(type, actual, item));
    case 'nin':
      return !(operand as unknown[]).some((item) => isEqual(type, actual, item));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return isOrdered(operator, order(type, actual, operand));
    case 'contains':
      return holds(actual, operand);
    case 'startsWith':
      return typeof actual === 'string' && actual.startsWith(operand as string);
    case 'exists':
      return (actual !== undefined) === operand;
  }
}

function isEqual(type: FilterTest['type'], actual: unknown, operand: unknown): boolean {
  if (actual === undefined) return false;
  if (actual === null || operand === null) return actual === operand;
  if (type === 'decimal') return compareDecimals(actual as string, operand as string) === 0;
  return jsonEqual(actual, operand);
}

/** Null if the two cannot be ordered, as a number and a string. */
function order(type: FilterTest['type'], actual: unknown, operand: unknown): number | undefined {
  if (typeof actual === 'number' && typeof operand === 'number')
    return actual < operand ? -1 : actual > operand ? 1 : 0;
  if (typeof actual !== 'string' || typeof operand !== 'string') return undefined;
  if (type === 'decimal') return compareDecimals(actual, operand);
  if (type === 'datetime') return compareText(instantSortKey(actual), instantSortKey(operand));
  return compareText(actual, operand);
}

function isOrdered(operator: 'gt' | 'gte' | 'lt' | 'lte', ordering: number | undefined): boolean {
  if (ordering === undefined) return false;
  if (operator === 'gt') return ordering > 0;
  if (operator === 'gte') return ordering >= 0;
  if (operator === 'lt') return ordering < 0;
  return ordering <= 0;
}

function holds(actual: unknown, operand: unknown): boolean {
  if (Array.isArray(actual)) return actual.some((item) => jsonEqual(item, operand));
  return typeof actual === 'string' && typeof operand === 'string' && findText(actual, operand) !== -1;
}
