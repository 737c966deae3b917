type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MAX_LEVELS = 6;

const PLAIN: Record<string, unknown> = { string: '', number: 0, integer: 0, boolean: false, null: null, array: [] };

/** Something to begin with: what the schema asks for, with the plainest values. */
export function sampleOf(schema: unknown, level = 0): unknown {
  if (!isSchema(schema) || level > MAX_LEVELS) return null;
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  const first = [schema['examples'], schema['enum']].find((values) => Array.isArray(values) && values.length > 0);
  if (Array.isArray(first)) return first[0] as unknown;
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  const { properties, required, minimum } = schema;
  if (type === 'object' || isSchema(properties)) {
    const existing = isSchema(properties) ? properties : {};
    const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : Object.keys(existing);
    return Object.fromEntries(names.map((name) => [name, sampleOf(existing[name], level + 1)]));
  }
  if (typeof minimum === 'number' && (type === 'number' || type === 'integer')) return minimum;
  return typeof type === 'string' ? (PLAIN[type] ?? null) : null;
}
