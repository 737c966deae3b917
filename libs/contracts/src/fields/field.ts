import { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy';
import { ValidateIf } from 'class-validator/cjs/decorator/common/ValidateIf';
import { getMetadataStorage } from 'class-validator/cjs/metadata/MetadataStorage';
import { COMMON_DESCRIPTIONS } from './common-descriptions';
import type { FieldDecorator } from './field-type';
import { MAX_BYTES } from './json-size';
import { Class, JsonSchema, Spec } from './field-schema';
import { compileSchema } from './compile';

export interface FieldOptions<T = unknown> {
  optional?: boolean;
  nullable?: boolean;
  description?: string;
  example?: Readonly<T> | null;
  default?: Readonly<T> | null;
  /** A password, key or token: encrypted for its receiver when sent between services. */
  secret?: boolean;
}

export interface FieldMetadata {
  name: string;
  spec: Spec;
  options: FieldOptions;
}

const FIELD = 'field';

/** Declares a field for class-validator, for the compiled validators, and for the OpenAPI document. */
export function Field<T, const O extends FieldOptions<T> = object>(spec: Spec<T>, options?: O): FieldDecorator<T, O> {
  return (target: object, property: string, ..._: unknown[]) => {
    declareField(target, property, spec, options ?? {});
  };
}

/** As the decorator, for classes made at run time, without a compile-time check. */
export function declareField(target: object, property: string, spec: Spec, options: FieldOptions): void {
  let check: ((value: unknown) => boolean) | undefined;
  if (options.optional) ValidateIf((_, value) => value !== undefined)(target, property);
  ValidateBy({
    name: FIELD,
    constraints: [spec, options],
    validator: {
      validate: (value: unknown): boolean => {
        if (value === null) return options.nullable === true;
        check ??= compileSchema(spec.render((type) => schemaOf(type)));
        return check(value);
      },
      defaultMessage: () => `${property} is not valid`,
    },
  })(target, property);
}

const descriptions = new WeakMap<Class, string>();

/** Declares the description of a class for the OpenAPI document. */
export const Described =
  (text: string) =>
  (type: Class): void => {
    descriptions.set(type, text);
  };

export const descriptionOf = (type: Class): string | undefined => descriptions.get(type);

/** The description of a field, or else that of all fields of its name. */
export const fieldDescription = ({ name, options }: FieldMetadata): string | undefined =>
  options.description ?? COMMON_DESCRIPTIONS[name];

const cache = new WeakMap<Class, FieldMetadata[]>();

/** Fields of a class and its base classes, read from class-validator's metadata. */
export function fieldsOf(type: Class): FieldMetadata[] {
  const existing = cache.get(type);
  if (existing) return existing;
  const fields = new Map<string, FieldMetadata>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    if (metadata.name !== FIELD) continue;
    const [spec, options] = metadata.constraints as [Spec, FieldOptions];
    // A field redeclared in a subclass comes first and wins.
    if (!fields.has(metadata.propertyName))
      fields.set(metadata.propertyName, { name: metadata.propertyName, spec, options });
  }
  const list = [...fields.values()];
  cache.set(type, list);
  return list;
}

export interface SchemaOptions {
  /** Reject unknown fields and oversized values (requests), or accept them (events, replies). */
  closed?: boolean;
  renderClass?: (type: Class) => JsonSchema;
}

export const nullable = (schema: JsonSchema): JsonSchema => {
  if (Array.isArray(schema['enum']))
    return { ...schema, type: [schema['type'], 'null'], enum: [...(schema['enum'] as unknown[]), null] };
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
  return schema['type'] === undefined && Object.keys(schema).every((key) => key === MAX_BYTES)
    ? schema
    : { anyOf: [schema, { type: 'null' }] };
};

/** JSON Schema (2020-12) of a class. */
export function schemaOf(type: Class, options: SchemaOptions = {}): JsonSchema {
  const closed = options.closed ?? true;
  const renderClass = options.renderClass ?? ((inner: Class): JsonSchema => schemaOf(inner, { closed }));
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const metadata of fieldsOf(type)) {
    const { name, spec, options: field } = metadata;
    const description = fieldDescription(metadata);
    const schema = spec.render(renderClass, closed);
    const shown = field.nullable ? nullable(schema) : schema;
    const extras: JsonSchema = {};
    if (description !== undefined) extras['description'] = description;
    if (field.example !== undefined) extras['examples'] = [field.example];
    if (field.default !== undefined) extras['default'] = field.default;
    properties[name] = { ...shown, ...extras };
    if (!field.optional) required.push(name);
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(closed ? { additionalProperties: false } : {}),
  };
}
