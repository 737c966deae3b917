import { canonicalJson, jsonEqual } from '@switchyard/kernel';
import { type FuncKeywordDefinition, _ } from 'ajv/dist/2020';
import { isMultipleOf } from './multiple-of';

/**
 * Keywords that the library answers wrongly, or too slowly, for the schemas and values of others. What their errors say is
 * in `detailOf` of the contracts, by keyword.
 */
export const KEYWORDS: (FuncKeywordDefinition & { keyword: string })[] = [
  // Its own comparison calls methods of the values, and a value may have a field called toString.
  {
    keyword: 'enum',
    schemaType: 'array',
    error: { message: 'enum', params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
    validate: (allowed: unknown[], value: unknown) => allowed.some((item) => jsonEqual(item, value)),
  },
  {
    keyword: 'const',
    error: { message: 'const', params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
    validate: (wanted: unknown, value: unknown) => jsonEqual(wanted, value),
  },
  // Its own check compares every item with every other.
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'uniqueItems' },
    validate: (wanted: boolean, items: unknown[]) => !wanted || new Set(items.map(canonicalJson)).size === items.length,
  },
  {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: 'multipleOf', params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
    validate: (step: number, value: number) => isMultipleOf(value, step),
  },
];
