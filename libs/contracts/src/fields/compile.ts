import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { ErrorDetail } from '@switchyard/kernel';
import { wordsOfPattern } from './pattern-messages';
import { preparedCheck } from './precompiled-validators';
import { MAX_BYTES, overBytes } from './json-size';
import { JsonSchema } from './field-schema';
import { OVER_TEXT_BYTES, TEXT_BYTES } from './default-text-limit';

/** Loaded on demand: precompiled validators need no compiler. */
const compiler = () => createRequire(__filename)('./compile-validators') as typeof import('./compile-validators');

export const compileSchema = (schema: JsonSchema): ValidateFunction =>
  preparedCheck(schema) ?? compiler().compileNow(schema);

const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Plain names; if other values are among them all as JSON, to distinguish 1 from "1". */
const shown = (values: unknown[]): string =>
  (values.every((value) => typeof value === 'string') ? values : values.map((value) => JSON.stringify(value))).join(
    ', ',
  );

const counted = (limit: unknown, unit: string): string => `${String(limit)} ${unit}${limit === 1 ? '' : 's'}`;

const atLeast = (limit: unknown, unit: string): string =>
  limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, unit)}`;

const atMost = (limit: unknown, unit: string): string => `must have at most ${counted(limit, unit)}`;

const TYPES: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

const typed = (types: unknown): string =>
  [types]
    .flat()
    .map((type) => TYPES[String(type)] ?? String(type))
    .join(' or ');

type Params = Record<string, unknown>;

/** Messages for ajv errors, by keyword. */
const MESSAGES: Record<string, (params: Params) => string> = {
  additionalProperties: () => 'is not a known field',
  unevaluatedProperties: () => 'is not a known field',
  required: () => 'is required',
  dependentRequired: ({ property }) => `is required beside ${String(property)}`,
  dependencies: ({ property }) => `is required beside ${String(property)}`,
  propertyNames: () => 'is not an allowed name of a field',
  type: ({ type }) => `must be ${typed(type)}`,
  enum: ({ allowedValues }) => `must be one of ${shown(allowedValues as unknown[])}`,
  const: ({ allowedValue }) => `must be ${shown([allowedValue])}`,
  format: ({ format }) => `must be a valid ${String(format)}`,
  pattern: ({ pattern }) => wordsOfPattern(String(pattern)),
  minLength: ({ limit }) => atLeast(limit, 'character'),
  maxLength: ({ limit }) => (limit === TEXT_BYTES ? OVER_TEXT_BYTES : atMost(limit, 'character')),
  minItems: ({ limit }) => atLeast(limit, 'item'),
  maxItems: ({ limit }) => atMost(limit, 'item'),
  items: ({ limit }) => atMost(limit, 'item'),
  unevaluatedItems: ({ limit }) => atMost(limit, 'item'),
  [MAX_BYTES]: ({ limit }) => overBytes(Number(limit)),
  uniqueItems: () => 'must not hold the same item twice',
  minProperties: ({ limit }) => atLeast(limit, 'field'),
  maxProperties: ({ limit }) => atMost(limit, 'field'),
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  contains: ({ minContains, maxContains }) =>
    maxContains === undefined
      ? `must hold at least ${counted(minContains, 'item')} of the kind that contains asks for`
      : `must hold ${String(minContains)} to ${counted(maxContains, 'item')} of the kind that contains asks for`,
  anyOf: () => 'must fit one of the schemas in anyOf',
  oneOf: () => 'must fit exactly one of the schemas in oneOf',
  not: () => 'must not fit the schema in not',
  if: ({ failingKeyword }) => `must fit the schema in ${String(failingKeyword)}`,
  'false schema': () => 'is not allowed',
};

const NAMING = ['additionalProperty', 'unevaluatedProperty', 'missingProperty', 'propertyName'];

/** Converts an ajv error to our error details. */
export function detailOf(error: ErrorObject): ErrorDetail {
  const path = pathOf(error.instancePath);
  const params = error.params as Params;
  const field = NAMING.map((name) => params[name]).find((name) => typeof name === 'string');
  return {
    path: field === undefined ? path : join(path, field),
    message: MESSAGES[error.keyword]?.(params) ?? 'is not valid',
  };
}

/** Returns the errors of a value, or null if it is valid. */
export type Validator = (value: unknown) => ErrorDetail[] | null;

export const compileValidator = (schema: JsonSchema): Validator => validatorBy(compileSchema(schema));

/** Reports all errors of a value. Compiled on demand: only rejected values need it. */
export const compileFullValidator = (schema: JsonSchema): Validator =>
  validatorBy(compiler().compileNow(schema, { allErrors: true }));

function validatorBy(check: ValidateFunction): Validator {
  return (value) => (check(value) ? null : (check.errors ?? []).map(detailOf));
}
