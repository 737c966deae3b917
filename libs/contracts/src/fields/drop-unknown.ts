import { isPlainObject } from '@switchyard/kernel';
import { schemaOf } from './field';
import type { Class } from './field-schema';

/** Removes unknown fields from a value, in place: a sender of the next version may add fields. */
export const dropUnknownFields = (type: Class, value: unknown): void => {
  dropIn(schemaOf(type, { closed: true }), value);
};

function dropIn(schema: unknown, value: unknown): void {
  if (!isPlainObject(schema)) return;
  const { properties, items, additionalProperties, anyOf } = schema;
  // The alternative to a nullable field's object is null.
  if (Array.isArray(anyOf)) dropIn(anyOf[0], value);
  else if (Array.isArray(value)) for (const item of value) dropIn(items, item);
  else if (isPlainObject(value)) {
    const declared = isPlainObject(properties) ? properties : {};
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(declared, name)) dropIn(declared[name], value[name]);
      else if (additionalProperties === false) Reflect.deleteProperty(value, name);
      else dropIn(additionalProperties, value[name]);
    }
  }
}
