import { isPlainObject } from '@switchyard/kernel';

/** Schemas may refer to themselves: below this, values are left out. */
const MAX_DEPTH = 8;
const MAX_FIELDS = 200;

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00Z',
  duration: 'PT1H',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com/',
};

/**
 * A value that fits a JSON Schema, as far as its types, bounds, formats and required fields say. Patterns and
 * conditions are not solved: a schema with these shows what it accepts by `examples`, `default`, `const` or `enum`.
 */
export function exampleOf(schema: unknown): unknown {
  const budget = { fields: MAX_FIELDS };
  const root = schema;
  const visit = (part: unknown, depth: number): unknown => {
    if (!isPlainObject(part) || depth > MAX_DEPTH) return {};
    if (Array.isArray(part.examples) && part.examples.length > 0) return part.examples[0] as unknown;
    if ('default' in part) return part.default;
    if ('const' in part) return part.const;
    if (Array.isArray(part.enum) && part.enum.length > 0) return part.enum[0] as unknown;
    if (typeof part.$ref === 'string') return visit(resolve(root, part.$ref), depth + 1);
    for (const key of ['oneOf', 'anyOf'] as const) {
      const [first] = Array.isArray(part[key]) ? (part[key] as unknown[]) : [];
      if (first !== undefined)
        return visit({ ...part, [key]: undefined, ...(isPlainObject(first) ? first : {}) }, depth + 1);
    }
    return ofType(part, (inner) => visit(inner, depth + 1), budget);
  };
  return visit(schema, 0);
}

type SchemaObject = Record<string, unknown>;

function ofType(schema: SchemaObject, visit: (part: unknown) => unknown, budget: { fields: number }): unknown {
  const [type] = Array.isArray(schema.type) ? (schema.type as unknown[]) : [schema.type];
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer');
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: Math.min(numberIn(schema.minItems, 0), 10) }, () => visit(schema.items));
    default:
      return objectOf(schema, visit, budget);
  }
}

function objectOf(
  schema: SchemaObject,
  visit: (part: unknown) => unknown,
  budget: { fields: number },
): Record<string, unknown> {
  const parts = [schema, ...(Array.isArray(schema.allOf) ? schema.allOf.filter(isPlainObject) : [])];
  const value: Record<string, unknown> = {};
  for (const { properties, required } of parts) {
    const declared = isPlainObject(properties) ? properties : {};
    for (const name of Array.isArray(required) ? required : []) {
      if (typeof name !== 'string' || (budget.fields -= 1) < 0) continue;
      value[name] = Object.hasOwn(declared, name) ? visit(declared[name]) : 'example';
    }
  }
  return value;
}

function textOf({ format, minLength, maxLength }: SchemaObject): string {
  const text = typeof format === 'string' && Object.hasOwn(TEXTS, format) ? (TEXTS[format] ?? '') : 'example';
  const least = Math.min(numberIn(minLength, 0), 1000);
  return text.padEnd(least, 'x').slice(0, Math.max(least, numberIn(maxLength, Infinity)));
}

function numberOf(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: SchemaObject,
  isInteger: boolean,
): number {
  const step = numberIn(multipleOf, isInteger ? 1 : 0);
  const least = Math.max(numberIn(minimum, -Infinity), numberIn(exclusiveMinimum, -Infinity));
  const most = Math.min(numberIn(maximum, Infinity), numberIn(exclusiveMaximum, Infinity));
  if (least <= 1 && most >= 1 && least !== exclusiveMinimum && most !== exclusiveMaximum && step <= 1) return 1;
  if (least === -Infinity) return most === Infinity ? (step > 1 ? step : 1) : Math.floor(most) - (step || 1);
  if (step > 0) return (Math.floor(least / step) + (least % step === 0 && least !== exclusiveMinimum ? 0 : 1)) * step;
  return least === exclusiveMinimum ? (most === Infinity ? least + 1 : (least + most) / 2) : least;
}

const numberIn = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/** Only within the schema itself. */
function resolve(root: unknown, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return {};
  let part: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    part = isPlainObject(part) && Object.hasOwn(part, key) ? part[key] : undefined;
  }
  return part;
}
