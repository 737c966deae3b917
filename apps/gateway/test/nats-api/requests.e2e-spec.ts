import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { OPERATIONS } from '../../src/nats-api/operations';
import { type NatsAccount, type NatsAnswer, closeConnections, newAccount } from './nats-account';

const platform = usePlatform();

const STEP = { id: 'a', type: 'transform', with: { text: 'done' } };
const RECORDS = { records: [{ text: 'one' }] };

let space: TestSpace;
let things: Record<string, string>;

/** The ids that the two transports are requests about. */
async function makeThings({ owner }: TestSpace): Promise<Record<string, string>> {
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await owner.post(path, body);
    expect([path, reply.status]).toEqual([path, 201]);
    return reply.body.data.id as string;
  };
  const agentId = await made('/agents', { name: 'Named', model: 'sim-chat', systemPrompt: 'Answer.' });
  const datasetId = await made('/datasets', { name: 'Data', schema: { fields: [{ name: 'text', type: 'string' }] } });
  const taskId = await made('/tasks', { name: 'Task', type: 'MANUAL', steps: [STEP] });
  return { agentId, datasetId, taskId, turnId: newId(), jobId: newId(), executionId: newId() };
}

const BODIES: Record<string, object> = {
  'agents.<agentId>.execute': { inputs: { text: '@@reply hello' } },
  'agents.<agentId>.chat': { stream: false, contents: [{ type: 'text', text: '@@reply hello' }] },
  'turns.<agentId>.<turnId>.resume': { sessionId: newId(), interactionId: newId(), selectedOptionIds: ['a'] },
  'turns.<agentId>.<turnId>.cancel': {},
  'jobs.<jobId>.cancel': {},
  'executions.<executionId>.cancel': {},
  'tasks.<taskId>.execute': {},
  'datasets.<datasetId>.query': { limit: 1 },
  'datasets.<datasetId>.search': { query: 'one' },
  'datasets.<datasetId>.insert': RECORDS,
  'datasets.<datasetId>.update': { filter: { field: 'text', op: 'eq', value: 'none' }, set: { text: 'x' } },
  'datasets.<datasetId>.delete': { filter: { field: 'text', op: 'eq', value: 'none' } },
};

const VOLATILE =
  /"(?:[a-zA-Z]*[iI]d|[a-zA-Z]*At|serverTime|deadline|execution_time|latencyMs|durationMs|ms)":(?:"[^"]*"|[\d.]+)|[0-9a-f]{8}-[0-9a-f-]{27}/g;
const steady = (body: unknown): string => JSON.stringify(body).replace(VOLATILE, '-');

interface Compared {
  status: number;
  code: unknown;
  body: string;
  headers: Record<string, boolean>;
}

const HEADERS = [
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'idempotency-replayed',
  'etag',
  'x-request-id',
];
const NAMES: Record<string, string> = {
  'retry-after': 'Retry-After',
  'ratelimit-limit': 'RateLimit-Limit',
  'ratelimit-remaining': 'RateLimit-Remaining',
  'idempotency-replayed': 'Idempotency-Replayed',
  etag: 'ETag',
  'x-request-id': 'Switchyard-Request-Id',
};

const overNats = ({ status, body, headers }: NatsAnswer): Compared => ({
  status,
  code: headers['Nats-Service-Error'],
  body: steady(body),
  headers: Object.fromEntries(HEADERS.map((name) => [name, headers[NAMES[name] ?? ''] !== undefined])),
});

async function overHttp(client: Client, method: string, path: string, body?: object): Promise<Compared> {
  const reply = await client.raw(method, path, body, { headers: { 'x-service-stream-protocol': 'stream-v3' } });
  return {
    status: reply.status,
    code: reply.status >= 400 ? reply.body.code : undefined,
    body: steady(reply.body),
    headers: Object.fromEntries(HEADERS.map((name) => [name, reply.headers[name] !== undefined])),
  };
}

const filled = (template: string, ids: Record<string, string>): string =>
  template.replace(/[{<](\w+)[}>]/g, (_, name: string) => ids[name] ?? '');

beforeAll(async () => {
  space = await platform.newSpace();
  things = await makeThings(space);
});

afterAll(closeConnections);

const CALLERS: [string, { scopes: string[]; role?: 'VIEWER' | 'MEMBER' }][] = [
  ['the rights of an ADMIN', { scopes: ['*'] }],
  ['the rights of a MEMBER', { scopes: ['*'], role: 'MEMBER' }],
  ['the rights of a VIEWER', { scopes: ['*'], role: 'VIEWER' }],
  ['the scope to read datasets alone', { scopes: ['datasets:read'] }],
  ['the scope to call agents alone', { scopes: ['agents:call'] }],
];

describe.each(CALLERS)('an account with %s', (_name, settings) => {
  let account: NatsAccount;
  let key: Client;

  beforeAll(async () => {
    ({ account, key } = await newAccount(platform, space, settings));
  });

  // A key emits nothing; `ping` is no route of its own; `attach` is a stream.
  const others = new Set(['ping', 'events.emit', 'turns.<agentId>.<turnId>.attach']);
  const cases = OPERATIONS.filter(({ operation }) => !others.has(operation));

  it.each(cases)('gets from $operation what $method $path answers', async ({ operation, method, path }) => {
    const body = BODIES[operation];
    const given = method === 'GET' ? undefined : (body ?? {});
    const foreign = Object.fromEntries(Object.keys(things).map((name) => [name, newId()]));
    const bad = Object.fromEntries(Object.keys(things).map((name) => [name, 'no-id']));
    const requests: [Record<string, string>, object | undefined][] = [
      [things, given],
      [foreign, given],
      [bad, given],
      ...(method === 'GET' ? [] : ([[things, { unknown: 1 }]] as [Record<string, string>, object][])),
    ];
    for (const [ids, content] of requests) {
      const nats = overNats(await account.request(filled(operation, ids), content));
      const http = await overHttp(key, method, filled(path, ids), content);
      expect([operation, nats]).toEqual([operation, http]);
    }
  });
});

describe('a request', () => {
  let account: NatsAccount;
  let key: Client;

  beforeAll(async () => {
    ({ account, key } = await newAccount(platform, space));
  });

  it('of ping is answered with what the account is', async () => {
    const answer = await account.request('ping', undefined, { 'Switchyard-Request-Id': 'mine-1' });
    expect(answer).toMatchObject({ status: 200, headers: { 'Switchyard-Request-Id': 'mine-1' } });
    expect(answer.body.data).toEqual({
      account: account.id,
      spaceId: space.id,
      role: expect.any(String) as string,
      scopes: ['*'],
      serverTime: expect.stringMatching(/Z$/) as string,
    });
  });

  it.each(['nothing', 'agents', 'agents.a.b.execute', 'events.emit.more', 'work.q.claim', 'http.more'])(
    'of the unknown operation %s is 404',
    async (operation) => {
      const answer = await account.request(operation, {});
      expect([answer.status, answer.body.code, answer.headers['Nats-Service-Error']]).toEqual([
        404,
        'NOT_FOUND',
        'NOT_FOUND',
      ]);
      expect(answer.headers['Nats-Service-Error-Code']).toBe('404');
    },
  );

  it('of http reaches any route of the Space', async () => {
    const answer = await account.http('GET', '/api/agents?limit=1');
    const reply = await key.get('/agents?limit=1');
    expect([answer.status, answer.body]).toEqual([200, reply.body]);
    expect((await account.http('GET', '/api/agents', undefined, { 'Switchyard-Query': 'limit=1' })).body).toEqual(
      reply.body,
    );
    expect((await account.http('GET', '/models/v1/models')).body.object).toBe('list');
  });

  it.each([
    ['GET', '/health/live'],
    ['POST', '/mcp'],
    ['GET', '/openai/v1/models'],
    ['POST', '/api/auth/login'],
    ['POST', '/api/auth/logout'],
    ['GET', '/api/operator/spaces'],
    ['GET', '/api/v1/operator/spaces'],
    ['GET', '/api/activity/stream'],
    ['GET', '/api/../health/live'],
    ['GET', '/api/%2e%2e/health/live'],
    ['GET', 'api/agents'],
    ['GET', '/api/nothing'],
    ['GET', `/api/datasets/${newId()}/export`],
    ['POST', `/api/datasets/${newId()}/import`],
  ])('of http to %s %s is 404', async (method, path) => {
    const answer = await account.http(method, path, method === 'POST' ? {} : undefined);
    expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'NOT_FOUND']);
  });

  it('of http without a method or path is 400', async () => {
    expect((await account.request('http', {}, { 'Switchyard-Method': 'GET' })).status).toBe(400);
    expect((await account.request('http', {}, { 'Switchyard-Path': '/api/agents' })).status).toBe(400);
    expect((await account.http('FLY', '/api/agents')).status).toBe(400);
  });

  it('takes no header that it does not know, and none twice', async () => {
    const headers = {
      authorization: 'Bearer nothing',
      cookie: 'a=b',
      'x-forwarded-for': '1.2.3.4',
      'content-length': '3',
    };
    expect((await account.request('ping', undefined, headers)).status).toBe(200);
    expect((await account.request('ping', undefined, { 'Idempotency-Key': ['a', 'b'] })).status).toBe(400);
  });

  it('with an idempotency key is carried out once, over either transport', async () => {
    const operation = `datasets.${things['datasetId']}.insert`;
    const headers = { 'Idempotency-Key': `once-${newId()}` };
    const first = await account.request(operation, { records: [{ text: 'once' }] }, headers);
    const again = await account.request(operation, { records: [{ text: 'once' }] }, headers);
    expect([first.status, again.status, again.headers['Idempotency-Replayed']]).toEqual([200, 200, 'true']);
    expect(again.body).toEqual(first.body);
    const other = await account.request(operation, { records: [{ text: 'other' }] }, headers);
    expect([other.status, other.headers['Nats-Service-Error']]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  it('refuses bytes that are no JSON, and no UTF-8', async () => {
    const operation = `datasets.${things['datasetId']}.query`;
    expect((await account.request(operation, '{')).status).toBe(400);
    const reply = account.inbox();
    const subscription = account.nats.subscribe(reply, { max: 1 });
    account.nats.publish(account.subject(operation), new Uint8Array([0x7b, 0xff, 0x7d]), { reply });
    for await (const message of subscription) expect(message.headers?.get('Switchyard-Status')).toBe('400');
  });
});
