import type { JsonSchema } from '@switchyard/contracts';
import { GatewayModule } from '../gateway.module';
import { controllersOf } from './controllers-of';
import { OpenApiDocument } from './openapi-document';

const { document } = new OpenApiDocument(controllersOf(GatewayModule));

type Inspection = (part: JsonSchema, at: string) => string[];

const isRecord = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** The results of `inspect` for each part of the document, examples aside. */
function walk(part: unknown, inspect: Inspection, at = ''): string[] {
  if (!isRecord(part)) return [];
  const inner = Object.entries(part).flatMap(([name, value]) =>
    name === 'example' || name === 'examples' ? [] : walk(value, inspect, `${at}/${name}`),
  );
  return [...inspect(part, at), ...inner];
}

const hasText = (part: unknown): boolean => isRecord(part) && typeof part['description'] === 'string';

describe('in the OpenAPI document', () => {
  it('every property has a description', () => {
    const properties: Inspection = ({ properties: fields }, at) =>
      isRecord(fields) && !at.endsWith('/properties')
        ? Object.entries(fields).flatMap(([name, field]) => (hasText(field) ? [] : [`${at}.${name}`]))
        : [];
    expect(walk(document, properties)).toEqual([]);
  });

  it('every parameter has a description', () => {
    const parameters: Inspection = ({ parameters: list }, at) =>
      Array.isArray(list)
        ? list.flatMap((one: JsonSchema) => (hasText(one) ? [] : [`${at} ${String(one['name'])}`]))
        : [];
    expect(walk(document, parameters)).toEqual([]);
  });

  it('every schema has a description', () => {
    const { schemas } = document['components'] as { schemas: Record<string, JsonSchema> };
    expect(Object.keys(schemas).length).toBeGreaterThan(200);
    expect(Object.entries(schemas).flatMap(([name, schema]) => (hasText(schema) ? [] : [name]))).toEqual([]);
  });
});
