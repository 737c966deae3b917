import type { JsonSchema } from '@switchyard/contracts';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
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

  it('every parameter of a path is of a type narrower than a string, or a path itself', () => {
    const wide: Inspection = ({ parameters: list }, at) =>
      Array.isArray(list)
        ? list.flatMap(({ in: location, name, schema }: { in?: string; name?: string; schema?: JsonSchema }) => {
            const { type, format, pattern, enum: values } = schema ?? {};
            const isWide = type === 'string' && format === undefined && pattern === undefined && values === undefined;
            return location === 'path' && name !== 'path' && isWide ? [`${at} ${name}`] : [];
          })
        : [];
    expect(walk(document, wide)).toEqual([]);
  });

  it('every schema has a description', () => {
    const { schemas } = document['components'] as { schemas: Record<string, JsonSchema> };
    expect(Object.keys(schemas).length).toBeGreaterThan(200);
    expect(Object.entries(schemas).flatMap(([name, schema]) => (hasText(schema) ? [] : [name]))).toEqual([]);
  });
});

interface Media {
  at: string;
  pointer: string;
  example: unknown;
}

const pointerOf = (...names: string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const operationsOf = (): { name: string; pointer: string; operation: JsonSchema }[] =>
  Object.entries(document['paths'] as Record<string, Record<string, JsonSchema>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      pointer: pointerOf('paths', path, method),
      operation,
    })),
  );

/** Bodies of requests, and of answers that are no errors, with their examples. */
function mediaOf({ name, pointer, operation }: ReturnType<typeof operationsOf>[number]): Media[] {
  const inContent = (part: JsonSchema, at: string, below: string): Media[] =>
    Object.entries((part['content'] ?? {}) as Record<string, JsonSchema>).map(([type, media]) => ({
      at: `${name} ${at} ${type}`,
      pointer: `${below}${pointerOf('content', type, 'schema')}`,
      example: media['example'],
    }));
  const { requestBody, responses } = operation as { requestBody?: JsonSchema; responses: Record<string, JsonSchema> };
  return [
    ...(requestBody ? inContent(requestBody, 'body', `${pointer}/requestBody`) : []),
    ...Object.entries(responses).flatMap(([status, response]) =>
      inContent(response, status, `${pointer}${pointerOf('responses', status)}`),
    ),
  ];
}

describe('the examples of the OpenAPI document', () => {
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document, 'openapi');

  it('fit their schemas', () => {
    const faults = operationsOf()
      .flatMap(mediaOf)
      .filter(({ example }) => example !== undefined)
      .flatMap(({ at, pointer, example }) => {
        const check = ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
        return check(example) ? [] : [`${at}: ${ajv.errorsText(check.errors)}`];
      });
    expect(faults).toEqual([]);
  });

  it('of errors fit the schema of their response', () => {
    const { responses } = document['components'] as { responses: Record<string, JsonSchema> };
    const lacking = Object.entries(responses).flatMap(([name, response]) => {
      const media = (response['content'] as Record<string, JsonSchema>)['application/json'] ?? {};
      const examples = Object.values((media['examples'] ?? {}) as Record<string, { value: unknown }>);
      const check = ajv.compile({ $ref: `openapi#/components/responses/${name}/content/application~1json/schema` });
      const isFromUpstreamAlone = name.startsWith('Upstream');
      if (examples.length === 0) return isFromUpstreamAlone ? [] : [`${name} has no example`];
      return examples.filter(({ value }) => !check(value)).map(() => `${name}: ${ajv.errorsText(check.errors)}`);
    });
    expect(lacking).toEqual([]);
  });

  it('cover at least 99% of the operations, with body and answer', () => {
    const lacking = operationsOf().filter((operation) => {
      const media = mediaOf(operation);
      const has = (where: string): boolean => {
        const some = media.filter(({ at }) => at.startsWith(`${operation.name} ${where}`));
        return some.length === 0 || some.some(({ example }) => example !== undefined);
      };
      return !has('body') || !has('2');
    });
    expect(lacking.map(({ name }) => name).slice(Math.floor(operationsOf().length * 0.01))).toEqual([]);
  });
});
