import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { ok } from './an-endpoint';
import { type NatsAccount, closeConnections, newAccount } from './nats-account';

const platform = usePlatform();

let space: TestSpace;
let datasetId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  const schema = { fields: [{ name: 'text', type: 'string' }] };
  datasetId = ok(await space.owner.post('/datasets', { name: 'Data', schema }), 201).id as string;
});

afterAll(closeConnections);

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
      expect(answer.body.message).toContain(`There is no operation ${operation}. `);
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
    ['GET', '/api/auth/login'],
    ['OPTIONS', '/api/auth/login'],
    ['GET', '/api/v1/auth/login'],
    ['PUT', '/api/auth/password'],
    ['GET', '/api/auth/password'],
    ['GET', '/api/auth/invitations/accept'],
    ['POST', '/api/activity/stream'],
    ['DELETE', `/api/datasets/${newId()}/export`],
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

  it('of http is answered without the secrets that HTTP shows', async () => {
    const path = `/spaces/${space.id}`;
    const invited = await space.owner.post(`${path}/members`, { email: `${newId()}@example.com`, role: 'MEMBER' });
    expect(invited.status).toBe(201);
    const reads = [path, '/spaces', '/auth/me', `${path}/members`];
    for (const read of reads) {
      const answer = await account.http('GET', `/api${read}`);
      expect([read, answer.status]).toEqual([read, 200]);
      expect(answer.text).not.toMatch(/whsec_|webhookSecret|"token"/);
    }
    const changed = await account.http('PATCH', `/api${path}`, { name: 'Renamed' });
    expect([changed.status, changed.body.data.name]).toEqual([200, 'Renamed']);
    const { webhookSecret, ...others } = (await key.get(path)).body.data;
    expect(webhookSecret).toMatch(/^whsec_/);
    expect(Object.keys((await account.http('GET', `/api${path}`)).body.data)).toEqual(Object.keys(others));
    expect(changed.text).not.toContain('whsec_');
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
    const operation = `datasets.${datasetId}.insert`;
    const headers = { 'Idempotency-Key': `once-${newId()}` };
    const first = await account.request(operation, { records: [{ text: 'once' }] }, headers);
    const again = await account.request(operation, { records: [{ text: 'once' }] }, headers);
    expect([first.status, again.status, again.headers['Idempotency-Replayed']]).toEqual([200, 200, 'true']);
    expect(again.body).toEqual(first.body);
    const other = await account.request(operation, { records: [{ text: 'other' }] }, headers);
    expect([other.status, other.headers['Nats-Service-Error']]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  it('refuses bytes that are no JSON, and no UTF-8', async () => {
    const operation = `datasets.${datasetId}.query`;
    expect((await account.request(operation, '{')).status).toBe(400);
    const reply = account.inbox();
    const subscription = account.nats.subscribe(reply, { max: 1 });
    account.nats.publish(account.subject(operation), new Uint8Array([0x7b, 0xff, 0x7d]), { reply });
    for await (const message of subscription) expect(message.headers?.get('Switchyard-Status')).toBe('400');
  });
});
