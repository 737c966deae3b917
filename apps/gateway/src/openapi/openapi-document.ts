import type { Type } from '@nestjs/common';
import { ERROR_STATUS, type ErrorCode } from '@switchyard/kernel';
import { type AccessRule, Class, JsonSchema, fieldsOf, nullable } from '@switchyard/contracts';
import { API_VERSION } from '../http/api-version';
import { headerParameter } from './header-parameters';
import { Operation, operationsOf } from './operations';
import { refusalsOf } from './refusals';
import { Schemas } from './schemas';

const TAGS: Record<string, string> = {
  'ag-ui': 'Agents for the clients of AG-UI.',
  'agent-jobs': "Agents' work in the background: submit, read, cancel.",
  agents: 'Agents, their turns and streams, their sessions and questions.',
  'api-keys': 'Keys for programs: shown once, scoped, rotated, revoked.',
  applications: 'What is installed in a Space and declares events.',
  auth: 'Signing in and who one is.',
  datasets: 'Typed tables: records, filters, full text and vectors.',
  events: 'Emissions, their log, subscriptions and replays.',
  langgraph: 'Agents for the clients of LangGraph: threads, their commands and streams.',
  mcp: 'The MCP server and what it takes.',
  models: 'The OpenAI-compatible relay.',
  openai: 'Agents for the clients of OpenAI: Responses and chat completions.',
  operations: 'Health, this document, the console.',
  spaces: 'Spaces, their settings and their members.',
  tasks: 'Recipes of steps, their schedules and executions.',
  usage: 'Tokens: balance, ledger, usage.',
};

const SSE_FRAME: JsonSchema = {
  type: 'string',
  description:
    'Server-sent events; the data of each is a frame: {type, method, params: {namespace, timestamp, data}, seq}.',
};

const OPENAI_CHUNKS: JsonSchema = {
  type: 'string',
  description:
    "Server-sent events as the OpenAI API sends them: the data of each is a chunk of the path's own kind (`chat.completion.chunk`, an event of `responses`), the last one `[DONE]`; `{error: ...}` without `[DONE]` is a stream that broke off.",
};

function streamOf({ sse, relayed, openai }: Operation['endpoint']): JsonSchema {
  if (typeof sse === 'string') return { type: 'string', description: sse };
  return relayed || openai ? OPENAI_CHUNKS : SSE_FRAME;
}

/** Refusals of an upstream that keep their status; everything else that it fails with is 503. */
const UPSTREAM_STATUSES = [400, 404, 409, 422, 429];

const JSON_RPC: JsonSchema = { type: 'object', description: 'A JSON-RPC message.' };

const jsonRpc = (description: string): JsonSchema => ({
  description,
  content: { 'application/json': { schema: JSON_RPC } },
});

/** Routes for all methods belong to protocols that use POST. */
function asMcp(operation: JsonSchema): JsonSchema {
  const responses = operation['responses'] as Record<string, JsonSchema>;
  return {
    ...operation,
    description:
      'The Model Context Protocol, revisions 2026-07-28 and those that begin with initialize: what is sent and answered is JSON-RPC. Needs the scope `mcp:call` and those of the tools.',
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {
      ...responses,
      '200': {
        description: 'The answer, alone or as the last message of a stream.',
        content: {
          'application/json': { schema: JSON_RPC },
          'text/event-stream': { schema: { type: 'string', description: 'Each event is a JSON-RPC message.' } },
        },
      },
      '202': { description: 'A notification or an answer of the client was taken.' },
      '400': jsonRpc('The body is no JSON-RPC message, or one that cannot be answered under its id.'),
      '404': { ...responses['404'], description: 'NOT_FOUND: the session is over, or of another credential' },
      '405': { ...responses['405'], description: 'METHOD_NOT_ALLOWED: for every method but POST' },
      '406': jsonRpc('Accept must name both application/json and text/event-stream.'),
    },
  };
}

/** The OpenAPI 3.1 document of these controllers, from their routes and contract classes alone. */
export class OpenApiDocument {
  private made: JsonSchema | undefined;

  constructor(private readonly controllers: readonly Type[]) {}

  get document(): JsonSchema {
    this.made ??= this.make();
    return this.made;
  }

  private operations(): Operation[] {
    return this.controllers.flatMap((controller) => operationsOf(controller));
  }

  private make(): JsonSchema {
    const schemas = new Schemas();
    const paths: Record<string, Record<string, JsonSchema>> = {};
    // In a fixed order, independent of the modules: a class of two operations is rendered for the first.
    for (const operation of this.operations().sort(byPathAndMethod)) {
      if (operation.endpoint.hidden) continue;
      const path = (paths[operation.path] ??= {});
      if (operation.method === 'all') path['post'] = asMcp(this.describe(operation, schemas));
      else path[operation.method] = this.describe(operation, schemas);
    }
    return {
      openapi: '3.1.0',
      info: {
        title: 'Switchyard',
        version: API_VERSION,
        summary: 'Agents, tasks, events, datasets and models in Spaces.',
        description:
          'Every call is scoped to the caller and a Space. Errors are flat: {success: false, message, code}. Beneath /api, fields and query parameters that an operation does not list are refused with 400.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      security: [{ bearer: [] }],
      tags: [...new Set(this.operations().map((operation) => tagOf(operation)))]
        .sort()
        .map((name) => ({ name, description: TAGS[name] ?? `Routes beneath /api/${name}.` })),
      paths,
      components: {
        schemas: sortedByName(schemas.components),
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token or an API key. The prefixes ApiKey, API-Key and Token are taken as well.',
          },
        },
      },
    };
  }

  private describe(operation: Operation, schemas: Schemas): JsonSchema {
    const { endpoint } = operation;
    const isPublic = endpoint.access === 'public';
    const { role, scope, systemKey, operator, strong }: AccessRule =
      endpoint.access === 'public' ? {} : endpoint.access;
    const needs = [
      ...(role ? [`role ${role}`] : []),
      ...(scope ? [`scope \`${scope}\``] : []),
      ...(operator ? [`an operator of the platform, or the key of one with the scope \`${operator}\``] : []),
      ...(strong ? ['a sign-in within the last ten minutes, and no key'] : []),
      ...(systemKey === 'only' ? ["an application's key"] : []),
    ];
    const description = [endpoint.description, needs.length > 0 ? `Needs ${needs.join(' and ')}.` : undefined]
      .filter(Boolean)
      .join('\n\n');
    return {
      operationId: endpoint.operationId ?? `${operation.controller.replace(/Controller$/, '')}_${operation.name}`,
      summary: endpoint.summary,
      ...(description ? { description } : {}),
      tags: [tagOf(operation)],
      // Required access in machine-readable form: the access tests are generated from it.
      'x-access': {
        public: isPublic,
        role: role ?? 'VIEWER',
        scope: scope ?? null,
        systemKey: systemKey ?? 'no',
        ...(operator ? { operator, strong: strong ?? false } : {}),
      },
      ...(isPublic ? { security: endpoint.honoursCredential ? [{}, { bearer: [] }] : [] } : {}),
      parameters: this.parameters(operation, schemas),
      ...this.requestBody(operation, schemas),
      responses: this.responses(operation, schemas),
    };
  }

  private parameters(operation: Operation, schemas: Schemas): JsonSchema[] {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    const inQuery = operation.query ? queryParameters(operation.query, schemas) : [];
    const inHeaders = [...(operation.endpoint.idempotent ? ['idempotency-key'] : []), ...operation.headers];
    return [...inPath, ...inQuery, ...inHeaders.map((name) => headerParameter(name))];
  }

  private requestBody(operation: Operation, schemas: Schemas): JsonSchema {
    if (operation.endpoint.body === 'stream' || operation.endpoint.body === 'bytes') {
      const schema = { type: 'string', format: 'binary' };
      const types = operation.endpoint.takes ?? ['application/octet-stream'];
      return { requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) } };
    }
    if (!operation.body) return {};
    const required = fieldsOf(operation.body).some((field) => !field.options.optional);
    return {
      requestBody: { required, content: { 'application/json': { schema: schemas.ref(operation.body, true) } } },
    };
  }

  private responses(operation: Operation, schemas: Schemas): JsonSchema {
    const { endpoint } = operation;
    const media = typeof endpoint.raw === 'string' ? endpoint.raw : 'application/json';
    const schema = endpoint.raw
      ? endpoint.reply
        ? schemas.ref(endpoint.reply, false)
        : {}
      : schemas.success(endpoint.reply);
    const responses: Record<string, JsonSchema> = {
      [String(endpoint.status ?? 200)]: {
        description: endpoint.summary,
        content: {
          [media]: { schema },
          ...(endpoint.sse ? { 'text/event-stream': { schema: streamOf(endpoint) } } : {}),
        },
      },
    };
    for (const { status, description, reply } of endpoint.also ?? []) {
      responses[String(status)] = {
        description,
        content: { 'application/json': { schema: schemas.success(reply ?? endpoint.reply) } },
      };
    }
    const codes = refusalsOf(operation);
    const isIn = (status: number): ErrorCode[] => [...codes].filter((code) => ERROR_STATUS[code] === status);
    const upstream = endpoint.relayed ? UPSTREAM_STATUSES : [];
    const error = endpoint.relayed || endpoint.openai ? 'RelayError' : 'Error';
    for (const status of [...new Set([...[...codes].map((code) => ERROR_STATUS[code]), ...upstream])].sort()) {
      responses[String(status)] = {
        description: [...isIn(status), ...(upstream.includes(status) ? ['as the upstream answered'] : [])].join(', '),
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${error}` } } },
      };
    }
    return responses;
  }
}

/** By bytes: independent of a locale. */
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const byPathAndMethod = (a: Operation, b: Operation): number => byText(a.path, b.path) || byText(a.method, b.method);

const sortedByName = (schemas: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => byText(a, b)));

const tagOf = (operation: Operation): string =>
  operation.endpoint.tag ?? operation.path.split('/').filter((part) => part !== 'api')[1] ?? 'operations';

const queryParameters = (type: Class, schemas: Schemas): JsonSchema[] =>
  fieldsOf(type).map(({ name, spec, options }) => {
    const schema = spec.render((inner) => schemas.ref(inner, true));
    return {
      name,
      in: 'query',
      required: !options.optional,
      schema: options.nullable ? nullable(schema) : schema,
      ...(options.description ? { description: options.description } : {}),
    };
  });
