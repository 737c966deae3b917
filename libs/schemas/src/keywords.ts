import { canonicalJson, jsonEqual } from '@switchyard/kernel';
import { type FuncKeywordDefinition, _ } from 'ajv/dist/2020';
import { isMultipleOf } from './multiple-of';

/** Keywords that the library answers wrongly, or too slowly, for the schemas and values of others. */
export const KEYWORDS: (FuncKeywordDefinition & { keyword: string })[] = [
  // Its own comparison calls methods of the values, and a value may have a field called toString.
  {
    keyword: 'enum',
    schemaType: 'array',
    error: {
      message: 'must be equal to one of the allowed values',
      params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
    },
    validate: (allowed: unknown[], value: unknown) => allowed.some((item) => jsonEqual(item, value)),
  },
  {
    keyword: 'const',
    error: { message: 'must be equal to constant', params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
    validate: (wanted: unknown, value: unknown) => jsonEqual(wanted, value),
  },
  // Its own check compares every item with every other.
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not hold the same item twice' },
    validate: (wanted: boolean, items: unknown[]) => !wanted || new Set(items.map(canonicalJson)).size === items.length,
  },
  {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: ({ schemaCode }) => _`"must be multiple of " + ${schemaCode}` },
    validate: (step: number, value: number) => isMultipleOf(value, step),
  },
];
