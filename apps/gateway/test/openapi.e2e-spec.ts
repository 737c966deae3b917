import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allContracts } from '@switchyard/contracts';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { type Route, nameOf, routesOf } from './routes';

const platform = usePlatform();
let space: TestSpace;
let document: {
  openapi: string;
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, object>; responses: Record<string, ResponseObject> };
};

interface ResponseObject {
  description: string;
  headers?: Record<string, object>;
  $ref?: string;
}

interface DocumentedOperation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: { format?: string } }[];
  requestBody?: object;
  responses: Record<string, ResponseObject>;
}

/** As it is served, with references to shared responses. */
let served: typeof document;

beforeAll(async () => {
  space = await platform.newSpace();
  served = (await space.owner.as(null).raw('GET', '/openapi.json')).body;
  document = structuredClone(served);
  for (const { responses } of operationsIn(document))
    for (const [status, { $ref }] of Object.entries(responses))
      if ($ref !== undefined) responses[status] = served.components.responses[$ref.split('/').at(-1) ?? '']!;
});

const operationsIn = ({ paths }: typeof document): DocumentedOperation[] =>
  Object.values(paths).flatMap(Object.values<DocumentedOperation>);

/** Linter rules that do not apply: licence URL, 4xx responses of documentation pages. */
const RULES = [
  'operation-4xx-response',
  'info-license',
  'info-license-strict',
  'no-server-example.com',
  'no-ambiguous-paths',
];

test('paths, their methods and schemas have one order, regardless of the order of modules', () => {
  const orders = [document.paths, document.components.schemas, ...Object.values(document.paths)].map(Object.keys);
  for (const names of orders) expect(names).toEqual([...names].sort());
});

test('the document passes the linter', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(served));
  const skipped = RULES.flatMap((rule) => ['--skip-rule', rule]);
  const output = await promisify(execFile)(
    process.execPath,
    [require.resolve('@redocly/cli/bin/cli.js'), 'lint', file, '--format', 'json', ...skipped],
    {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      maxBuffer: 64 * 1024 * 1024,
    },
  ).catch((error: unknown) => error as { stdout: string });
  const { problems } = JSON.parse(output.stdout.slice(output.stdout.indexOf('{'))) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
  };
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`),
  ).toEqual([]);
}, 120_000);

test('every operation has a name of its own and says how it may end', () => {
  const operations = operationsIn(document);
  expect(operations.length).toBeGreaterThan(80);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { responses } of operations) expect(Object.keys(responses).length).toBeGreaterThan(0);
});

/** The query parameters that a route cannot do without. */
const neededBy = ({ template, method }: Route): string =>
  (document.paths[template]?.[method.toLowerCase()]?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `&${name}=x`)
    .join('');

test('every operation id is a verb and a noun', () => {
  const ids = operationsIn(document).map(({ operationId }) => operationId);
  expect(ids.filter((id) => !/^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(id))).toEqual([]);
});

/** Ids of other APIs have forms of their own. */
const OTHER_IDS = ['accountId', 'kind', 'model', 'path', 'responseId', 'version'];

test('ids in paths are UUIDs', () => {
  const inPaths = operationsIn(document).flatMap(({ parameters }) => parameters.filter((one) => one.in === 'path'));
  expect(inPaths.length).toBeGreaterThan(80);
  const others = inPaths.filter(({ name, schema }) => schema.format !== 'uuid' && !OTHER_IDS.includes(name));
  expect(others).toEqual([]);
});

test('routes that only the console uses are served and not described', async () => {
  expect((await space.owner.as(null).raw('GET', '/console')).status).toBe(200);
  expect(Object.keys(served.paths).filter((path) => /^\/(?:console|docs)/.test(path))).toEqual([]);
});

test('every answer carries the headers that its description names', async () => {
  const { status, headers } = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'x' });
  const named = document.paths['/api/agents']?.['post']?.responses[String(status)]?.headers ?? {};
  expect(Object.keys(named)).toEqual(expect.arrayContaining(['RateLimit-Limit', 'X-Request-Id']));
  const missing = Object.keys(named).filter((name) => headers[name.toLowerCase()] === undefined);
  // Only in repeats.
  expect(missing).toEqual(['Idempotency-Replayed']);
});

test('every route beneath /api refuses a query parameter that the document does not list, and names it', async () => {
  const routes = routesOf({ spaceId: space.id });
  const request = routes.filter(({ template, systemKey }) => template.startsWith('/api/') && systemKey !== 'only');
  const operator = await platform.operator();
  const refusals = await Promise.all(
    request.map(async (route) => {
      const caller = route.operator === undefined ? space.owner : operator;
      const { status, body } = await caller.raw(
        route.method,
        `${route.path}?colour=red${neededBy(route)}`,
        route.takesBody ? {} : undefined,
      );
      return { route: nameOf(route), status, says: JSON.stringify(body).includes('colour is not a known field') };
    }),
  );
  expect(refusals.length).toBeGreaterThan(80);
  expect(refusals.filter(({ status, says: hasMessage }) => status !== 400 || !hasMessage)).toEqual([]);
});

test('routes of other protocols accept unknown query parameters', async () => {
  for (const path of ['/openai/v1/models', '/openapi.json', '/health/live', '/.well-known/jwks.json'])
    expect([path, (await space.owner.raw('GET', `${path}?colour=red`)).status]).toEqual([path, 200]);
  expect((await space.owner.raw('POST', '/langgraph/assistants/search?colour=red', {})).status).toBe(200);
});

test('the relay is described as what it is: the OpenAI API, with the statuses of an upstream', () => {
  const { post } = document.paths['/models/v1/{path}'] ?? {};
  const responses = post?.responses as Record<string, { description: string; content: Record<string, object> }>;
  expect(JSON.stringify(responses['200']?.content['text/event-stream'])).toContain('[DONE]');
  for (const status of ['400', '404', '409', '422', '429'])
    expect(responses[status]?.description).toContain('as the upstream answered');
  expect(responses['405']?.content).toMatchObject({
    'application/json': { schema: { $ref: '#/components/schemas/RelayError' } },
  });
});

/** The paths of the interface; each must be described. */
const INTERFACE = [
  'GET /api/agents',
  'POST /api/agents',
  'GET /api/agents/{agentId}',
  'PUT /api/agents/{agentId}',
  'DELETE /api/agents/{agentId}',
  'GET /api/agents/system-agents',
  'GET /api/agents/{agentId}/mcp/tools',
  'POST /api/agents/{agentId}/chat',
  'POST /api/agents/{agentId}/execute',
  'POST /api/agents/sessions',
  'GET /api/agents/sessions',
  'GET /api/agents/sessions/{sessionId}',
  'PATCH /api/agents/sessions/{sessionId}',
  'DELETE /api/agents/sessions/{sessionId}',
  'GET /api/agents/sessions/{sessionId}/messages',
  'POST /api/agents/{agentId}/sessions/{sessionId}/context/status',
  'POST /api/agents/{agentId}/sessions/{sessionId}/context/compact',
  'GET /api/agents/{agentId}/sessions/{sessionId}/interactions/pending',
  'POST /api/agents/{agentId}/turns/{turnId}/resume',
  'POST /api/agents/{agentId}/turns/{turnId}/cancel',
  'POST /api/agent-jobs',
  'GET /api/agent-jobs/{jobId}',
  'POST /api/agent-jobs/{jobId}/cancel',
  'GET /api/tasks',
  'POST /api/tasks',
  'GET /api/tasks/{taskId}',
  'PUT /api/tasks/{taskId}',
  'DELETE /api/tasks/{taskId}',
  'POST /api/tasks/{taskId}/execute',
  'GET /api/tasks/{taskId}/executions',
  'GET /api/tasks/executions/{executionId}',
  'GET /api/tasks/runs/{executionId}',
  'GET /api/datasets',
  'POST /api/datasets',
  'GET /api/datasets/{datasetId}',
  'DELETE /api/datasets/{datasetId}',
  'POST /api/datasets/{datasetId}/data/insert',
  'POST /api/datasets/{datasetId}/data/update',
  'POST /api/datasets/{datasetId}/data/query',
  'POST /api/datasets/{datasetId}/data/count',
  'POST /api/datasets/{datasetId}/data/delete',
  'POST /api/datasets/{datasetId}/data/search',
  'POST /api/datasets/{datasetId}/data/full-text-search',
  'GET /api/api-keys',
  'POST /api/api-keys',
  'GET /api/api-keys/{keyId}',
  'PUT /api/api-keys/{keyId}',
  'POST /api/api-keys/{keyId}/revoke',
  'POST /api/api-keys/validate',
  'POST /api/events/emit',
];

test('every path of the interface is served', () => {
  const served = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(INTERFACE.filter((route) => !served.includes(route))).toEqual([]);
});

test('every operation whose contract says where it is found over HTTP is served there', () => {
  const declared = allContracts().flatMap((contract) => (contract.kind === 'call' && contract.http) || []);
  expect(declared.length).toBeGreaterThan(10);
  const served = declared.map(({ method, path }) => {
    const template = `/api${path}`.replace(/:(\w+)/g, '{$1}');
    return document.paths[template]?.[method.toLowerCase()]?.operationId;
  });
  expect(served).toEqual(declared.map(({ name }) => name));
});

const operation = (name: string): DocumentedOperation => {
  const [method = '', path = ''] = name.split(' ');
  return document.paths[path]![method.toLowerCase()]!;
};
const statusesOf = (name: string): string[] => Object.keys(operation(name).responses);
const headersOf = (name: string): string[] =>
  operation(name)
    .parameters.filter((parameter) => parameter.in === 'header')
    .map((parameter) => parameter.name);

test.each([
  ['POST /api/agents/{agentId}/chat', ['402', '409', '413', '415', '426']],
  ['POST /api/agents/{agentId}/execute', ['402', '409', '413', '415']],
  ['POST /api/agents/{agentId}/sessions/{sessionId}/context/compact', ['402', '409']],
  ['POST /api/events/emit', ['200', '202', '409', '413']],
  ['POST /api/datasets/{datasetId}/import', ['200', '202', '415']],
  ['POST /api/tasks/{taskId}/execute', ['202', '409']],
  ['POST /mcp', ['200', '401']],
])('%s says that it may answer %j', (name, statuses) => {
  expect(statusesOf(name)).toEqual(expect.arrayContaining(statuses));
});

test.each([
  ['POST /api/agents/{agentId}/chat', ['X-Service-Stream-Protocol']],
  ['POST /api/agents/{agentId}/turns/{turnId}/resume', ['X-Service-Stream-Protocol']],
  ['GET /api/agents/{agentId}/turns/{turnId}/stream', ['Last-Event-ID']],
  ['PUT /api/agents/{agentId}', ['If-Match']],
  ['PUT /api/tasks/{taskId}', ['If-Match']],
  ['POST /api/agents', ['Idempotency-Key']],
])('%s names the header %j', (name, headers) => {
  expect(headersOf(name)).toEqual(headers);
});

test('what takes a body says how it is refused, and what takes a key says both of its conflicts', () => {
  const operations = operationsIn(document);
  const lacks = (one: DocumentedOperation, status: string, code: string): boolean =>
    !(one.responses[status]?.description.includes(code) ?? false);
  const withBody = operations.filter((one) => one.requestBody !== undefined);
  expect(withBody.filter((one) => lacks(one, '415', 'UNSUPPORTED_MEDIA_TYPE'))).toEqual([]);
  const withKey = operations.filter((one) => one.parameters.some(({ name }) => name === 'Idempotency-Key'));
  expect(withKey.length).toBeGreaterThan(12);
  expect(withKey.filter((one) => lacks(one, '409', 'IDEMPOTENCY_CONFLICT'))).toEqual([]);
  // There the key names a turn: a repeat while it runs gets the same turn.
  const namesTurn = ['createChatCompletion', 'createResponse', 'executeAgent'];
  const waiting = withKey.filter((one) => lacks(one, '409', 'REQUEST_IN_PROGRESS'));
  expect(waiting.map((one) => one.operationId).sort()).toEqual(namesTurn);
});
