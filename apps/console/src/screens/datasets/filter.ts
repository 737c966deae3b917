import type { DatasetField, Filter } from '@switchyard/client';
import { listText, textOf, textsIn, valueOf } from './values';

const OPERATORS = [
  { value: 'eq', label: 'is' },
  { value: 'ne', label: 'is not' },
  { value: 'gt', label: 'is above' },
  { value: 'gte', label: 'is at least' },
  { value: 'lt', label: 'is below' },
  { value: 'lte', label: 'is at most' },
  { value: 'in', label: 'is one of' },
  { value: 'nin', label: 'is none of' },
  { value: 'contains', label: 'contains' },
  { value: 'startsWith', label: 'starts with' },
  { value: 'exists', label: 'exists' },
] as const;

export type Operator = (typeof OPERATORS)[number]['value'];

export interface Condition {
  field: string;
  operator: Operator;
  value: string;
}

const ORDERED: ReadonlySet<string> = new Set([
  'string',
  'text',
  'integer',
  'number',
  'decimal',
  'date',
  'datetime',
  'uuid',
]);
const TEXTS: ReadonlySet<string> = new Set(['string', 'text']);
const isOrder = (operator: Operator): boolean => /^[gl]te?$/u.test(operator);

/** Operators that the API accepts for a type. */
export const operatorsFor = (type: DatasetField['type'] | undefined): readonly (typeof OPERATORS)[number][] =>
  OPERATORS.filter(({ value }) => {
    if (type === undefined) return true;
    if (isOrder(value)) return ORDERED.has(type);
    if (value === 'startsWith') return TEXTS.has(type);
    if (value === 'contains') return TEXTS.has(type) || type === 'json' || type === 'string[]';
    return true;
  });

/** One that is not yet written to its end filters nothing. */
const isWhole = ({ field, operator, value }: Condition): boolean =>
  field !== '' && (operator === 'exists' || value !== '');

export function filterOf(conditions: readonly Condition[], fields: readonly DatasetField[]): Filter | undefined {
  const parts = conditions.filter(isWhole).map((condition) => partOf(condition, fields));
  return parts.length > 1 ? { and: parts } : parts[0];
}

function partOf({ field, operator, value }: Condition, fields: readonly DatasetField[]): Filter {
  const existing = fields.find(({ name }) => name === field) ?? { type: 'string' as const };
  return { [field]: { [operator]: operandOf(existing, operator, value) } };
}

function operandOf(field: Pick<DatasetField, 'type' | 'enum'>, operator: Operator, value: string): unknown {
  if (operator === 'exists') return value !== 'false';
  if (operator === 'in' || operator === 'nin') return textsIn(value).map((text) => valueOf(field, text));
  if (operator === 'contains' && field.type !== 'json') return value;
  return value === 'null' ? null : valueOf(field, value);
}

/** The rows of the builder that make this filter, or null where it says more than rows can. */
export function conditionsOf(filter: Filter | undefined): Condition[] | null {
  if (filter === undefined) return [];
  const parts = Array.isArray(filter['and']) ? filter['and'] : [filter];
  if (Array.isArray(filter['and']) && Object.keys(filter).length > 1) return null;
  const conditions: Condition[] = [];
  for (const part of parts) {
    if (!isObject(part)) return null;
    for (const [field, test] of Object.entries(part)) {
      if (field === 'and' || field === 'or' || field === 'not') return null;
      const tests: [string, unknown][] = Array.isArray(test)
        ? [['in', test]]
        : isObject(test)
          ? Object.entries(test)
          : [['eq', test]];
      for (const [operator, operand] of tests) {
        const existing = OPERATORS.find(({ value }) => value === operator)?.value;
        if (existing === undefined) return null;
        conditions.push({ field, operator: existing, value: operandText(operand) });
      }
    }
  }
  return conditions;
}

const operandText = (operand: unknown): string => {
  if (operand === null) return 'null';
  return Array.isArray(operand) ? listText(operand.map(textOf)) : textOf(operand);
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The filter in the URL, or undefined if invalid. */
export function readFilter(given: unknown): Filter | undefined {
  if (isObject(given)) return Object.keys(given).length > 0 ? given : undefined;
  if (typeof given !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(given);
    return isObject(parsed) ? readFilter(parsed) : undefined;
  } catch {
    return undefined;
  }
}
