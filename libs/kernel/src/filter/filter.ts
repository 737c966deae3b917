import type { FilterFieldType } from './field-type';

export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'nin',
  'contains',
  'startsWith',
  'exists',
] as const;

export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** `any` where no schema says what a field holds: an event's payload. */
export type FilterTest = {
  kind: 'test';
  field: string;
  type: FilterFieldType | 'any';
  operator: FilterOperator;
  operand: unknown;
};

/** A checked filter: operands are in canonical spelling, and nothing in it needs checking again. */
export type Filter = FilterTest | { kind: 'and' | 'or'; parts: Filter[] } | { kind: 'not'; part: Filter };

export const EVERYTHING: Filter = { kind: 'and', parts: [] };

/** Whether a filter names no condition at all, which is what makes an update or delete of everything. */
export const isEverything = (filter: Filter): boolean =>
  filter.kind === 'and' && filter.parts.every((part) => isEverything(part));
