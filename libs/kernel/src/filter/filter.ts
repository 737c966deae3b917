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

/** `any` if no schema describes the field, as in an event's payload. */
export type FilterTest = {
  kind: 'test';
  field: string;
  type: FilterFieldType | 'any';
  operator: FilterOperator;
  operand: unknown;
};

/** A parsed filter: operands are valid and in canonical spelling. */
export type Filter = FilterTest | { kind: 'and' | 'or'; parts: Filter[] } | { kind: 'not'; part: Filter };

export const EVERYTHING: Filter = { kind: 'and', parts: [] };

/** Whether the filter has no condition: it matches every record. */
export const isEverything = (filter: Filter): boolean =>
  filter.kind === 'and' && filter.parts.every((part) => isEverything(part));
