import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { ErrorDetail } from '@switchyard/kernel';
import { preparedCheck } from './prepared';
import { JsonSchema } from './spec';
import { OVER_TEXT_BYTES, TEXT_BYTES } from './text-bytes';

/** Loaded when a check is not there yet: what a build has prepared needs no compiler. */
const compiler = () => createRequire(__filename)('./compile-now') as typeof import('./compile-now');

export const compileSchema = (schema: JsonSchema): ValidateFunction =>
  preparedCheck(schema) ?? compiler().compileNow(schema);

const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Names as they are; where other values are among them, all as JSON, so that 1 and "1" are told apart. */
const shown = (values: unknown[]): string =>
  (values.every((value) => typeof value === 'string') ? values : values.map((value) => JSON.stringify(value))).join(
    ', ',
  );

const counted = ({ limit }: Record<string, unknown>, unit: string): string =>
  `${String(limit)} ${unit}${limit === 1 ? '' : 's'}`;

const least = (params: Record<string, unknown>, unit: string): string =>
  params['limit'] === 1 ? 'must not be empty' : `must have at least ${counted(params, unit)}`;

/** One ajv error in the words of our error body. */
export function detailOf(error: ErrorObject): ErrorDetail {
  const path = pathOf(error.instancePath);
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: join(path, String(params['additionalProperty'])), message: 'is not a known field' };
    case 'required':
      return { path: join(path, String(params['missingProperty'])), message: 'is required' };
    case 'enum':
      return { path, message: `must be one of ${shown(params['allowedValues'] as unknown[])}` };
    case 'format':
      return { path, message: `must be a valid ${String(params['format'])}` };
    case 'pattern':
      return { path, message: 'does not have the expected form' };
    case 'maxLength':
      return {
        path,
        message: params['limit'] === TEXT_BYTES ? OVER_TEXT_BYTES : `must have at most ${counted(params, 'character')}`,
      };
    case 'minLength':
    case 'minItems':
      return { path, message: least(params, error.keyword === 'minItems' ? 'item' : 'character') };
    case 'maxItems':
      return { path, message: `must have at most ${counted(params, 'item')}` };
    default:
      return { path, message: error.message ?? 'is not valid' };
  }
}

/** Says what is wrong with a value, or null when nothing is. */
export type Validator = (value: unknown) => ErrorDetail[] | null;

export function compileValidator(schema: JsonSchema): Validator {
  const check = compileSchema(schema);
  return (value) => (check(value) ? null : (check.errors ?? []).map(detailOf));
}
