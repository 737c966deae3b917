import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { OPERATIONS } from '../../src/nats-api/operations';
import { type Shop, emit, installShop, ok } from './an-endpoint';
import { type NatsAccount, closeConnections, newAccount } from './nats-account';
import { overHttp, overNats, streamOverHttp, streamOverNats } from './transports';

const platform = usePlatform();

const STEP = { id: 'a', type: 'transform', with: { text: 'done' } };
const ATTACH = 'turns.<agentId>.<turnId>.attach';
const EMIT = 'events.emit';
/** An application that is not installed. */
const ABSENT = 'absent-app';
/** The same for an account and a key: the default of a key. */
const LIMITS = { requestsPerMinute: 600 };

type Things = Record<string, string>;

let space: TestSpace;
let shop: Shop;
let things: Things;
/** Of another Space. */
let foreign: Things;

/** The ids that requests are about: everything has ended, so that no request changes the next one's answer. */
async function makeThings({ owner }: TestSpace): Promise<Things> {
  const made = async (path: string, body: object): Promise<string> => ok(await owner.post(path, body), 201).id;
  const agentId = await made('/agents', { name: 'Named', model: 'sim-chat', systemPrompt: 'Answer.' });
  const datasetId = await made('/datasets', { name: 'Data', schema: { fields: [{ name: 'text', type: 'string' }] } });
  const taskId = await made('/tasks', { name: 'Task', type: 'MANUAL', steps: [STEP] });
  const turnId = newId();
  const chat = { turnId, stream: false, contents: [{ type: 'text', text: '@@reply hello' }] };
  ok(await owner.post(`/agents/${agentId}/chat`, chat), 200);
  const executionId = ok(await owner.post(`/tasks/${taskId}/execute`, { inputs: {} }), 202).id as string;
  const job = { type: 'AGENT_INVOKE', agentId, input: { inputs: { query: '@@reply hello' } } };
  const jobId = ok(await owner.post('/agent-jobs', job), 202).id as string;
  await until(async () => (await owner.get(`/tasks/executions/${executionId}`)).body.data.status === 'SUCCEEDED');
  await until(async () => (await owner.get(`/agent-jobs/${jobId}`)).body.data.phase === 'SUCCEEDED');
  return { agentId, datasetId, taskId, turnId, jobId, executionId };
}

const BODIES: Record<string, (things: Things) => object> = {
  'agents.<agentId>.execute': () => ({ inputs: { text: '@@reply hello' } }),
  'agents.<agentId>.chat': () => ({ stream: false, contents: [{ type: 'text', text: '@@reply hello' }] }),
  'turns.<agentId>.<turnId>.resume': () => ({
    sessionId: newId(),
    interactionId: newId(),
    selectedOptionIds: ['a'],
  }),
  'jobs.submit': ({ agentId }) => ({ type: 'AGENT_INVOKE', agentId, input: { inputs: { query: '@@reply hello' } } }),
  'datasets.<datasetId>.query': () => ({ limit: 1 }),
  'datasets.<datasetId>.search': () => ({ query: 'one' }),
  'datasets.<datasetId>.insert': () => ({ records: [{ text: 'one' }] }),
  'datasets.<datasetId>.update': () => ({ filter: { field: 'text', op: 'eq', value: 'none' }, set: { text: 'x' } }),
  'datasets.<datasetId>.delete': () => ({ filter: { field: 'text', op: 'eq', value: 'none' } }),
};

const filled = (template: string, ids: Things): string =>
  template.replace(/[{<](\w+)[}>]/g, (_, name: string) => ids[name] ?? '');
const each = (value: () => string): Things => Object.fromEntries(Object.keys(things).map((name) => [name, value()]));

beforeAll(async () => {
  const [own, other] = [await platform.newSpace(), await platform.newSpace()];
  space = own;
  shop = await installShop(space);
  [things, foreign] = await Promise.all([makeThings(own), makeThings(other)]);
}, 120_000);

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
  let cause: string;

  beforeAll(async () => {
    ({ account, key } = await newAccount(platform, space, { ...settings, limits: LIMITS }));
    cause = await emit(shop, 'cause');
  });

  // `ping` answers less than its route, keys emit nothing, and `attach` is a stream.
  const others = new Set(['ping', EMIT, ATTACH]);
  const cases = OPERATIONS.filter(({ operation }) => !others.has(operation));

  it.each(cases)('gets from $operation what $method $path answers', async ({ operation, method, path }) => {
    const isWrite = method !== 'GET';
    const given = isWrite ? (BODIES[operation]?.(things) ?? {}) : undefined;
    const requests: { ids?: Things; body?: object | undefined; headers?: Record<string, string> }[] = [
      {},
      { ids: foreign },
      { ids: each(newId) },
      { ids: each(() => 'no-id') },
      { headers: { 'switchyard-cause': cause } },
      { headers: { 'switchyard-cause': newId() } },
      { headers: { 'switchyard-cause': 'no-id' } },
      ...(isWrite
        ? [{ body: { unknown: 1 } }, { body: [1] }, { headers: { 'idempotency-key': 'x'.repeat(300) } }]
        : []),
    ];
    for (const { ids = things, body = given, headers = {} } of requests) {
      const nats = await overNats(account, filled(operation, ids), body, headers);
      const http = await overHttp(key, method, filled(path, ids), body, headers);
      expect([operation, headers, nats]).toEqual([operation, headers, http]);
      expect(nats.headers['ratelimit-reset']).toBe('a number');
    }
  });

  it('gets from turns.attach the frames of its route, or the same refusal', async () => {
    const { agentId = '' } = things;
    const path = '/api/agents/{agentId}/turns/{turnId}/stream';
    // A turn belongs to its caller, so each reads one of its own.
    const ids = { nats: { agentId, turnId: newId() }, http: { agentId, turnId: newId() } };
    const chat = { stream: false, contents: [{ type: 'text', text: '@@reply one two three' }] };
    const made = [
      await overNats(account, `agents.${agentId}.chat`, { ...chat, turnId: ids.nats.turnId }),
      await overHttp(key, 'POST', `/api/agents/${agentId}/chat`, { ...chat, turnId: ids.http.turnId }),
    ];
    expect(made[0]).toEqual(made[1]);
    for (const last of [undefined, '0', '2', 'no-number']) {
      const nats = await streamOverNats(
        account,
        filled(ATTACH, ids.nats),
        undefined,
        last === undefined ? {} : { 'Switchyard-Last-Frame': last },
      );
      const headers = last === undefined ? undefined : { 'last-event-id': last };
      const http = await streamOverHttp(key, 'GET', filled(path, ids.http), undefined, headers);
      if (nats.frames.length === 0) expect([last, nats]).toEqual([last, http]);
      else expect([last, nats.status, nats.frames]).toEqual([last, http.status, http.frames]);
    }
    for (const refused of [things, foreign, each(newId), each(() => 'no-id')]) {
      const nats = await streamOverNats(account, filled(ATTACH, refused));
      const http = await streamOverHttp(key, 'GET', filled(path, refused));
      if (nats.frames.length === 0) expect(nats).toEqual(http);
      else expect([nats.status, nats.frames]).toEqual([http.status, http.frames]);
    }
  });

  it('emits nothing without a list of applications, as a key does', async () => {
    const body = { appIdentifier: shop.identifier, event: 'order.created', payload: { order: 'never' } };
    const nats = await overNats(account, EMIT, body);
    const http = await overHttp(key, 'POST', '/api/events/emit', body);
    expect([nats.status, nats.code, nats.headers]).toEqual([403, http.code, http.headers]);
  });
});

describe('an account that emits for an application', () => {
  let account: NatsAccount;

  beforeAll(async () => {
    const limits = { applications: [shop.identifier, ABSENT] };
    ({ account } = await newAccount(platform, space, { scopes: ['events:emit'], limits }));
  });

  /** The same by the account over NATS and by the application's own key over HTTP, with idempotency keys apart. */
  const expectEqual = async (changes: object, headers: Record<string, string> = {}): Promise<number> => {
    const body = { appIdentifier: shop.identifier, event: 'order.created', payload: { order: 'a' }, ...changes };
    const given = (by: string): [unknown, Record<string, string>] => [
      JSON.parse(JSON.stringify(body).replaceAll('@by', by)),
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll('@by', by)])),
    ];
    const nats = await overNats(account, EMIT, ...given('nats'));
    const http = await overHttp(shop.app, 'POST', '/api/events/emit', ...given('http'));
    // An account and an application have limits of their own.
    const { 'ratelimit-limit': _nats, ...natsHeaders } = nats.headers;
    const { 'ratelimit-limit': _http, ...httpHeaders } = http.headers;
    expect([changes, headers, { ...nats, headers: natsHeaders }]).toEqual([
      changes,
      headers,
      { ...http, headers: httpHeaders },
    ]);
    return nats.status;
  };

  it('gets what its system key gets over HTTP', async () => {
    const cause = await emit(shop, 'cause');
    expect(await expectEqual({})).toBe(202);
    expect(await expectEqual({}, { 'switchyard-cause': cause })).toBe(202);
    for (const unknown of [newId(), 'no-id', `${cause}0`])
      expect(await expectEqual({}, { 'switchyard-cause': unknown })).toBe(400);
    for (const status of [202, 200]) expect(await expectEqual({ idempotencyKey: '@by-1' })).toBe(status);
    expect(await expectEqual({ idempotencyKey: '@by-1', payload: { order: 'b' } })).toBe(409);
    for (const status of [202, 200]) expect(await expectEqual({}, { 'idempotency-key': '@by-2' })).toBe(status);
    expect(await expectEqual({ payload: { order: 'b' } }, { 'idempotency-key': '@by-2' })).toBe(409);
    expect(await expectEqual({ appIdentifier: ABSENT })).toBe(404);
    expect(await expectEqual({ event: 'order.unknown' })).toBeGreaterThanOrEqual(400);
    for (const changes of [
      { payload: {} },
      { payload: { order: 1 } },
      { payload: null },
      { payload: 'text' },
      { event: 7 },
      { event: undefined },
      { appIdentifier: undefined },
      { appIdentifier: ['a'] },
      { unknown: 1 },
      { idempotencyKey: '' },
      { idempotencyKey: 'x'.repeat(1_000) },
      { payload: { order: 'x'.repeat(600_000) } },
    ])
      expect(await expectEqual(changes)).toBeGreaterThanOrEqual(400);
  });

  it('emits for no other application, as its system key does not', async () => {
    const { identifier } = await installShop(space);
    const body = { appIdentifier: identifier, event: 'order.created', payload: { order: 'a' } };
    const nats = await overNats(account, EMIT, body);
    const http = await overHttp(shop.app, 'POST', '/api/events/emit', body);
    expect([nats.status, nats.code]).toEqual([403, http.code]);
    expect(http.status).toBe(403);
  });

  it('makes an envelope the cause of another one, as over HTTP', async () => {
    const cause = await emit(shop, 'cause');
    const body = { appIdentifier: shop.identifier, event: 'order.created', payload: { order: 'caused' } };
    const sent = await account.request(EMIT, body, { 'Switchyard-Cause': cause });
    const envelope = ok(await space.owner.get(`/events/envelopes/${sent.body.data.envelopeId as string}`), 200);
    expect(envelope).toMatchObject({ depth: 1, causationId: cause, correlationId: cause, source: 'app' });
  });
});

describe('over its requests of a minute', () => {
  it('an account is refused as a key is', async () => {
    const { account, key } = await newAccount(platform, space, { limits: { requestsPerMinute: 2 } });
    const path = `/api/datasets/${things['datasetId']}/data/query`;
    const nats = await until(async () => {
      const answer = await overNats(account, `datasets.${things['datasetId']}.query`, {});
      return answer.status === 429 ? answer : null;
    });
    const http = await until(async () => {
      const answer = await overHttp(key, 'POST', path, {});
      return answer.status === 429 ? answer : null;
    });
    expect(nats).toEqual(http);
    expect(nats.headers).toMatchObject({
      'retry-after': 'a number',
      'ratelimit-limit': '2',
      'ratelimit-reset': 'a number',
    });
  });
});
