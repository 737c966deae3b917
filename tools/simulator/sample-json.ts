type JsonSchema = Record<string, unknown>;

const MAX_DEPTH = 16;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const ref = schema['$ref'];
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema;
  let node: unknown = root;
  for (const key of ref.slice(2).split('/')) node = isSchema(node) ? node[key] : undefined;
  return isSchema(node) ? node : {};
}

const textSample = (schema: JsonSchema, text: string): string => {
  switch (schema['format']) {
    case 'date-time':
      return '2030-01-01T00:00:00.000Z';
    case 'date':
      return '2030-01-01';
    case 'email':
      return 'someone@example.com';
    case 'uuid':
      return '00000000-0000-7000-8000-000000000000';
    default: {
      const min = typeof schema['minLength'] === 'number' ? schema['minLength'] : 0;
      const max = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : 10_000;
      return text.padEnd(min, '.').slice(0, max);
    }
  }
};

function numberSample(schema: JsonSchema): number {
  if (typeof schema['minimum'] === 'number') return schema['minimum'];
  if (typeof schema['exclusiveMinimum'] === 'number') return schema['exclusiveMinimum'] + 1;
  if (typeof schema['maximum'] === 'number') return Math.min(1, schema['maximum']);
  return 1;
}

/** A value that fits a JSON Schema, as a model with structured output would give: its texts carry `text`. */
export function sampleJson(schema: unknown, text: string, root?: JsonSchema, depth = 0): unknown {
  if (!isSchema(schema) || depth > MAX_DEPTH) return null;
  const top = root ?? schema;
  const node = resolve(schema, top);
  if ('const' in node) return node['const'];
  if (Array.isArray(node['enum'])) return node['enum'][0] as unknown;
  const branches = node['anyOf'] ?? node['oneOf'];
  if (Array.isArray(branches)) return sampleJson(branches[0], text, top, depth + 1);
  const type: unknown = Array.isArray(node['type']) ? node['type'][0] : node['type'];
  switch (type) {
    case 'string':
      return textSample(node, text);
    case 'integer':
    case 'number':
      return numberSample(node);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array': {
      const count = typeof node['minItems'] === 'number' ? node['minItems'] : 1;
      return Array.from({ length: Math.min(count, 100) }, () => sampleJson(node['items'] ?? {}, text, top, depth + 1));
    }
    default: {
      const properties = isSchema(node['properties']) ? node['properties'] : {};
      return Object.fromEntries(
        Object.entries(properties).map(([key, inner]) => [key, sampleJson(inner, text, top, depth + 1)]),
      );
    }
  }
}
