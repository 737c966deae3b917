import { ID_PATTERN } from '@switchyard/kernel';
import { TEXT_BYTES } from './text-bytes';

export type JsonSchema = Record<string, unknown>;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a constructor of any arity is what "a class" means
export type Class<T extends object = object> = new (...args: any[]) => T;

/** How a spec renders a class inside another one: inlined for a validator, `$ref` for the OpenAPI document. */
export type RenderClass = (type: Class) => JsonSchema;

export type SpecKind = 'text' | 'int' | 'number' | 'bool' | 'list' | 'object' | 'json';

/** What one field may hold. Specs are values: they nest, and they know how to become JSON Schema. */
export interface Spec {
  kind: SpecKind;
  render(renderClass: RenderClass): JsonSchema;
}

const plain = (kind: SpecKind, schema: JsonSchema): Spec => ({ kind, render: () => ({ ...schema }) });

const defined = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));

export interface TextLimits {
  min?: number;
  max?: number;
  pattern?: string;
  format?: string;
}

export interface NumberLimits {
  min?: number;
  max?: number;
}

const text = (limits: TextLimits = {}): Spec =>
  plain(
    'text',
    defined({
      type: 'string',
      minLength: limits.min,
      maxLength: limits.max ?? TEXT_BYTES,
      pattern: limits.pattern,
      format: limits.format,
    }),
  );

const int = (limits: NumberLimits = {}): Spec =>
  plain('int', {
    type: 'integer',
    minimum: limits.min ?? Number.MIN_SAFE_INTEGER,
    maximum: limits.max ?? Number.MAX_SAFE_INTEGER,
  });

const bool = (): Spec => plain('bool', { type: 'boolean' });

/** The vocabulary of fields. Every limit is optional; texts are bounded by as many characters as 1 MiB has bytes and integers by 53 bits anyway. */
export const f = {
  id: (): Spec => plain('text', { type: 'string', format: 'uuid', pattern: ID_PATTERN }),
  text,
  int,
  number: (limits: NumberLimits = {}): Spec =>
    plain('number', defined({ type: 'number', minimum: limits.min, maximum: limits.max })),
  bool,
  oneOf: <T extends string | number>(values: readonly T[]): Spec =>
    plain('text', { type: typeof values[0] === 'number' ? 'integer' : 'string', enum: [...values] }),
  time: (): Spec => plain('text', { type: 'string', format: 'date-time', maxLength: 40 }),
  json: (): Spec => plain('json', {}),
  schema: (schema: JsonSchema): Spec => plain('json', schema),
  list: (item: Spec, limits: { min?: number; max?: number; unique?: boolean } = {}): Spec => ({
    kind: 'list',
    render: (renderClass) =>
      defined({
        type: 'array',
        items: item.render(renderClass),
        minItems: limits.min,
        maxItems: limits.max,
        uniqueItems: limits.unique,
      }),
  }),
  object: (type: () => Class): Spec => ({ kind: 'object', render: (renderClass) => renderClass(type()) }),
  record: (value?: Spec, limits: { max?: number } = {}): Spec => ({
    kind: 'object',
    render: (renderClass) =>
      defined({
        type: 'object',
        additionalProperties: value ? value.render(renderClass) : true,
        maxProperties: limits.max,
      }),
  }),
  /** In a query string; the gateway turns the text into the number or the truth value before it validates. */
  queryInt: int,
  queryBool: bool,
};
