import { operationAt } from '../nats-api/operations';
import type { Type } from '@nestjs/common';
import { type AccessRule, Class, JsonSchema, fieldDescription, fieldsOf, nullable } from '@switchyard/contracts';
import { API_VERSION } from '../http/api-version';
import { detailed } from './filter-and-step-schemas';
import { frameSchemas } from './frame-schemas';
import { headerParameter } from './header-parameters';
import { Operation, operationsOf } from './list-operations';
import { asMcp } from './describe-mcp-route';
import { addExamples } from './operation-examples';
import { pathParameters } from './path-parameters';
import { answerHeaderReferences, headerComponents } from './response-headers';
import { ComponentSchemas } from './component-schemas';
import { SharedResponses } from './shared-responses';
import { webhooks } from './webhooks';

const TAGS: Record<string, string> = {
  'ag-ui': 'Agents for the clients of AG-UI.',
  'agent-jobs': "Agents' work in the background: submit, read, cancel.",
  agents: 'Agents, their turns and streams, their sessions and questions.',
  'api-keys': 'Keys for programs: shown once, scoped, rotated, revoked.',
  applications: 'Installed applications and the events that they declare.',
  auth: 'Sign-in, tokens and the current user.',
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
  contentMediaType: 'text/event-stream',
  contentSchema: { $ref: '#/components/schemas/TurnFrame' },
  description: 'Server-sent events. `data` of each is a frame, `id` its number.',
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

const RELAYED_BODY: JsonSchema = {
  requestBody: {
    content: {
      'application/json': { schema: { type: 'object', description: 'The request as in the OpenAI API.' } },
      'multipart/form-data': {
        schema: { type: 'object', description: 'A request with a file, as in the OpenAI API.' },
      },
    },
  },
};

interface DocumentOptions {
  /** With the routes that only the console uses. */
  withInternal?: boolean;
  /** Only the schemas of the contracts. */
  isPlain?: boolean;
}

interface Components {
  schemas: ComponentSchemas;
  responses: SharedResponses;
}

/** The operation of the NATS API that a route has there; `/auth/me` is asked by `ping`. */
function natsOperation({ method, path }: Operation): JsonSchema {
  const found = operationAt(method.toUpperCase(), path);
  return found && path !== '/api/auth/me' ? { 'x-nats-operation': found.operation } : {};
}

/**
 * The OpenAPI 3.1 document of these controllers, from their routes and contract classes alone. Routes that only the
 * console uses are not in it, unless they are asked for.
 */
export class OpenApiDocument {
  private made: JsonSchema | undefined;

  constructor(
    private readonly controllers: readonly Type[],
    private readonly options: DocumentOptions = {},
  ) {}

  get document(): JsonSchema {
    this.made ??= this.make();
    return this.made;
  }

  private operations(): Operation[] {
    return this.controllers
      .flatMap((controller) => operationsOf(controller))
      .filter(({ endpoint }) => !endpoint.hidden && (this.options.withInternal || !endpoint.internal));
  }

  private make(): JsonSchema {
    const parts = { schemas: new ComponentSchemas(), responses: new SharedResponses() };
    const paths: Record<string, Record<string, JsonSchema>> = {};
    // In a fixed order, independent of the modules: a class of two operations is rendered for the first.
    for (const operation of this.operations().sort(byPathAndMethod)) {
      const path = (paths[operation.path] ??= {});
      if (operation.method === 'all') path['post'] = asMcp(this.describe(operation, parts));
      else path[operation.method] = this.describe(operation, parts);
    }
    addExamples(paths);
    return {
      openapi: '3.1.0',
      info: {
        title: 'Switchyard',
        version: API_VERSION,
        summary: 'Agents, tasks, events, datasets and models in Spaces.',
        description:
          'Every call is scoped to the caller and a Space. Errors are flat: {success: false, message, code}. Under /api, a field or query parameter that an operation does not list is rejected with 400. An operation that changes something takes the header Switchyard-Cause, the id of an envelope of the Space: the request then counts as caused by that event.',
        // Each installation has operators of its own; the project serves none.
        contact: { name: 'The operator of this platform' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [
        { url: '/', description: 'The platform that serves this document.' },
        {
          url: '{platform}',
          description: 'Your installation, for tools that read this document from a file.',
          variables: {
            platform: { default: 'http://127.0.0.1:3000', description: 'Its address, without a slash at the end.' },
          },
        },
      ],
      security: [{ bearer: [] }],
      tags: [...new Set(this.operations().map((operation) => tagOf(operation)))]
        .sort()
        .map((name) => ({ name, description: TAGS[name] ?? `Routes beneath /api/${name}.` })),
      paths,
      ...(this.options.isPlain ? {} : { webhooks: webhooks() }),
      components: {
        headers: headerComponents(),
        responses: sortedByName(parts.responses.components),
        schemas: sortedByName(this.schemas(parts.schemas.components)),
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token or an API key. The prefixes ApiKey, API-Key and Token are accepted too.',
          },
        },
      },
    };
  }

  private schemas(components: Record<string, JsonSchema>): Record<string, JsonSchema> {
    return this.options.isPlain ? components : { ...detailed(components), ...frameSchemas() };
  }

  private describe(operation: Operation, parts: Components): JsonSchema {
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
    const { deprecated } = endpoint;
    const description = [
      deprecated &&
        `**Deprecated** since ${deprecated.since}: ${deprecated.instead} It works until ${deprecated.sunset}.`,
      endpoint.description,
      needs.length > 0 ? `Needs ${needs.join(' and ')}.` : undefined,
    ]
      .filter(Boolean)
      .join('\n\n');
    return {
      operationId: operationIdOf(operation),
      summary: endpoint.summary,
      ...(description ? { description } : {}),
      ...(deprecated ? { deprecated: true } : {}),
      tags: [tagOf(operation)],
      ...natsOperation(operation),
      // Required access in machine-readable form: the access tests are generated from it.
      'x-access': {
        public: isPublic,
        role: role ?? 'VIEWER',
        scope: scope ?? null,
        systemKey: systemKey ?? 'no',
        ...(operator ? { operator, strong: strong ?? false } : {}),
      },
      ...(isPublic ? { security: endpoint.honoursCredential ? [{}, { bearer: [] }] : [] } : {}),
      parameters: this.parameters(operation, parts.schemas),
      ...this.requestBody(operation, parts.schemas),
      responses: { ...this.answers(operation, parts.schemas), ...parts.responses.of(operation) },
    };
  }

  private parameters(operation: Operation, componentSchemas: ComponentSchemas): JsonSchema[] {
    const inQuery = operation.query ? queryParameters(operation.query, componentSchemas) : [];
    const inHeaders = [...(operation.endpoint.idempotent ? ['idempotency-key'] : []), ...operation.headers];
    return [...pathParameters(operation), ...inQuery, ...inHeaders.map((name) => headerParameter(name))];
  }

  private requestBody(operation: Operation, componentSchemas: ComponentSchemas): JsonSchema {
    if (operation.endpoint.relayed && operation.endpoint.body) return RELAYED_BODY;
    if (operation.endpoint.body === 'stream' || operation.endpoint.body === 'bytes') {
      const schema = { type: 'string', format: 'binary' };
      const types = operation.endpoint.takes ?? ['application/octet-stream'];
      return { requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) } };
    }
    if (!operation.body) return {};
    const required = fieldsOf(operation.body).some((field) => !field.options.optional);
    return {
      requestBody: {
        required,
        content: { 'application/json': { schema: componentSchemas.ref(operation.body, true) } },
      },
    };
  }

  private answers(operation: Operation, componentSchemas: ComponentSchemas): JsonSchema {
    const { endpoint } = operation;
    const media = typeof endpoint.raw === 'string' ? endpoint.raw : 'application/json';
    const schema = endpoint.raw
      ? endpoint.reply
        ? componentSchemas.ref(endpoint.reply, false)
        : {}
      : componentSchemas.success(endpoint.reply, endpoint.siblings);
    const headers = answerHeaderReferences(operation);
    const responses: Record<string, JsonSchema> = {
      [String(endpoint.status ?? 200)]: {
        description: endpoint.summary,
        headers,
        content: {
          [media]: { schema },
          ...(endpoint.sse ? { 'text/event-stream': { schema: streamOf(endpoint) } } : {}),
        },
      },
    };
    for (const { status, description, reply } of endpoint.also ?? []) {
      responses[String(status)] = {
        description,
        headers,
        content: { 'application/json': { schema: componentSchemas.success(reply ?? endpoint.reply) } },
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

function operationIdOf({ endpoint, controller, name }: Operation): string {
  if (endpoint.operationId === undefined) throw new Error(`${controller}.${name} has no operationId`);
  return endpoint.operationId;
}

const tagOf = (operation: Operation): string =>
  operation.endpoint.tag ?? operation.path.split('/').filter((part) => part !== 'api')[1] ?? 'operations';

const queryParameters = (type: Class, componentSchemas: ComponentSchemas): JsonSchema[] =>
  fieldsOf(type).map((field) => {
    const { name, spec, options } = field;
    const description = fieldDescription(field);
    const schema = spec.render((inner) => componentSchemas.ref(inner, true));
    return {
      name,
      in: 'query',
      required: !options.optional,
      schema: {
        ...(options.nullable ? nullable(schema) : schema),
        ...(options.default === undefined ? {} : { default: options.default }),
      },
      ...(description ? { description } : {}),
    };
  });
