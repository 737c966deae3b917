import { ID_PATTERN } from '@switchyard/kernel';
import { describePattern } from './pattern-messages';
import { MAX_BYTES, PLATFORM_WRITTEN, type Size } from './json-size';
import { TEXT_BYTES } from './default-text-limit';

export type JsonSchema = Record<string, unknown>;
// oxlint-disable-next-line typescript/no-explicit-any -- a constructor of any arity is what "a class" means
export type Class<T extends object = object> = new (...args: any[]) => T;

/** How a nested class is rendered: inlined for a validator, `$ref` for the OpenAPI document. */
export type RenderClass = (type: Class) => JsonSchema;

/** Fits every property, and every property fits it. */
// oxlint-disable-next-line typescript/no-explicit-any -- nothing narrower fits both ways
export type Json = any;

export type SpecKind = 'text' | 'int' | 'number' | 'bool' | 'list' | 'object' | 'json';

/** Describes the values of a field of type `T`. Specs nest, and render to JSON Schema. */
export interface Spec<T = unknown> {
  kind: SpecKind;
  /** Size limits apply to input only: replies and events are rendered without. */
  render(renderClass: RenderClass, sized?: boolean): JsonSchema;
  /** For type inference only. */
  readonly holds?: T;
  /** Of a list: its items. Of a record: its values. */
  readonly item?: Spec;
  /** Of an object: its class. */
  readonly type?: () => Class;
}

const plain = <T>(kind: SpecKind, schema: JsonSchema): Spec<T> => ({ kind, render: () => ({ ...schema }) });

const defined = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));

/** A pattern needs a description for callers, as "must be a version, such as 1.2.0". */
type PatternRule = { pattern?: undefined; allows?: undefined } | { pattern: string; allows: string };

export type TextLimits = {
  min?: number;
  max?: number;
  format?: string;
} & PatternRule;

export interface NumberLimits {
  min?: number;
  max?: number;
}

const text = (limits: TextLimits = {}): Spec<string> => {
  if (limits.pattern !== undefined) describePattern(limits.pattern, limits.allows);
  return plain(
    'text',
    defined({
      type: 'string',
      minLength: limits.min,
      maxLength: limits.max ?? TEXT_BYTES,
      pattern: limits.pattern,
      format: limits.format,
    }),
  );
};

const sizeOf = (size: Size | undefined, sized: boolean): JsonSchema =>
  sized && size !== undefined && size !== PLATFORM_WRITTEN ? { [MAX_BYTES]: size } : {};

export interface ListLimits {
  min?: number;
  max?: number;
  unique?: boolean;
  /** Size of all items together, as JSON. */
  bytes?: Size;
}

const int = (limits: NumberLimits = {}): Spec<number> =>
  plain('int', {
    type: 'integer',
    minimum: limits.min ?? Number.MIN_SAFE_INTEGER,
    maximum: limits.max ?? Number.MAX_SAFE_INTEGER,
  });

const bool = (): Spec<boolean> => plain('bool', { type: 'boolean' });

/** The field types. Limits are optional; texts are bounded by 1 MiB and integers by 53 bits anyway. */
export const f = {
  id: (): Spec<string> => plain('text', { type: 'string', format: 'uuid', pattern: ID_PATTERN }),
  text,
  int,
  number: (limits: NumberLimits = {}): Spec<number> =>
    plain('number', defined({ type: 'number', minimum: limits.min, maximum: limits.max })),
  bool,
  oneOf: <const T extends string | number>(values: readonly T[]): Spec<T> =>
    plain('text', { type: typeof values[0] === 'number' ? 'integer' : 'string', enum: [...values] }),
  time: (): Spec<string> => plain('text', { type: 'string', format: 'date-time', maxLength: 40 }),
  /** Any JSON value, up to a size. */
  json: (size: Size): Spec<Json> => ({ kind: 'json', render: (_, sized = true) => sizeOf(size, sized) }),
  schema: <T = Json>(schema: JsonSchema): Spec<T> => plain('json', schema),
  list: <T>(item: Spec<T>, limits: ListLimits = {}): Spec<T[]> => ({
    kind: 'list',
    item,
    render: (renderClass, sized = true) =>
      defined({
        type: 'array',
        items: item.render(renderClass, sized),
        minItems: limits.min,
        maxItems: limits.max,
        uniqueItems: limits.unique,
        ...sizeOf(limits.bytes, sized),
      }),
  }),
  object: <T extends object>(type: () => Class<T>, limits: { bytes?: Size } = {}): Spec<T> => ({
    kind: 'object',
    type,
    render: (renderClass, sized = true) => ({ ...renderClass(type()), ...sizeOf(limits.bytes, sized) }),
  }),
  record: <T = Json>(size: Size, value?: Spec<T>, limits: { max?: number } = {}): Spec<Record<string, T>> => ({
    kind: 'object',
    item: value,
    render: (renderClass, sized = true) =>
      defined({
        type: 'object',
        additionalProperties: value ? value.render(renderClass, sized) : true,
        maxProperties: limits.max,
        ...sizeOf(size, sized),
      }),
  }),
  /** For query strings: the gateway converts the text before it validates. */
  queryInt: int,
  queryBool: bool,
};
