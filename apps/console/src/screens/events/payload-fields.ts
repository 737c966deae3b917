type Schema = Record<string, unknown>;

type PayloadFieldKind = 'text' | 'number' | 'boolean' | 'json' | readonly (string | number)[];

/** Form field for a payload property. */
export interface PayloadField {
  name: string;
  kind: PayloadFieldKind;
  isRequired: boolean;
  isInteger: boolean;
  hint: string | undefined;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/**
 * The properties of a payload, those that are asked for first. None where the schema names none: JSON alone is left
 * then.
 */
export function fieldsOf(schema: unknown): PayloadField[] {
  const properties = isSchema(schema) && isSchema(schema['properties']) ? schema['properties'] : {};
  const request: unknown = isSchema(schema) ? schema['required'] : undefined;
  const required = new Set<unknown>(Array.isArray(request) ? request : []);
  return Object.entries(properties)
    .map(([name, property]) => fieldOf(name, property, required.has(name)))
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

function fieldOf(name: string, property: unknown, isRequired: boolean): PayloadField {
  const schema = isSchema(property) ? property : {};
  const { description } = schema;
  return {
    name,
    kind: kindOf(schema),
    isRequired,
    isInteger: schema['type'] === 'integer',
    hint: typeof description === 'string' ? description : undefined,
  };
}

/** Objects, lists, unions and references have no form field and are edited as JSON. */
function kindOf(schema: Schema): PayloadFieldKind {
  const values: unknown = 'const' in schema ? [schema['const']] : schema['enum'];
  if (Array.isArray(values) && values.length > 0 && values.every(isScalar)) return values;
  switch (schema['type']) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'json';
  }
}

/** The payload with another value of a property; undefined takes it away. */
export function withValue(payload: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _old, ...rest } = payload;
  if (value === undefined) return rest;
  // In its place: what is written does not jump.
  return name in payload
    ? Object.fromEntries(Object.entries(payload).map(([key, old]) => [key, key === name ? value : old]))
    : { ...payload, [name]: value };
}
