import {
  avoidMidnight,
  type Answer,
  type Reply,
  type TestSpace,
  platformEnvelopes,
  raisedEvent,
  until,
  usePlatform,
  watchPlatform,
} from '@switchyard/testing';
import { createUser } from 'nkeys.js';
import { ask, balanceOf, settled } from './support/money';

const platform = usePlatform();
const MEMBERS = 1_000;
const STEP = { id: 'note', type: 'transform', with: { said: 'yes' } };

beforeEach(avoidMidnight);

describe('balance.low', () => {
  it('is raised once for each threshold until the next credit, and shows to ADMIN alone', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'balance.low');
    const use = async (tokens: number): Promise<void> => {
      await until(async () => (await ask(space.owner, `@@usage ${tokens} 0\n@@reply x`)).status === 200);
      await settled(space.owner);
    };
    const set = (settings: object): Promise<unknown> => space.owner.patch(`/spaces/${space.id}`, { settings });
    const of = (reason: string) => (payload: Answer) => payload.reason === reason;
    await set({ minimumBalance: 500_000 });
    await until(async () => (await balanceOf(space.owner)).minimumBalance === 500_000);
    await use(600_000);
    const minimum = await raisedEvent(space, 'balance.low', of('MINIMUM'));
    expect(minimum).toMatchObject({ depth: 0, source: 'system' });
    expect(minimum.payload).toEqual({
      kind: 'balance',
      at: expect.any(String) as string,
      reason: 'MINIMUM',
      balance: 400_000,
    });
    await set({ minimumBalance: null });
    await use(310_000);
    expect((await raisedEvent(space, 'balance.low', of('TENTH'))).payload.balance).toBe(90_000);
    await use(10_000);
    await use(90_000);
    expect((await raisedEvent(space, 'balance.low', of('ZERO'))).payload.balance).toBe(-10_000);
    expect(await platformEnvelopes(space.owner)).toHaveLength(3);
    await space.credit(1_010_000);
    await use(950_000);
    const again = (payload: Answer): boolean => payload.reason === 'TENTH' && payload.balance === 50_000;
    await raisedEvent(space, 'balance.low', again);
    expect(await platformEnvelopes(await space.member('MEMBER'))).toEqual([]);
  });

  it('writes nothing without a subscription', async () => {
    const space = await platform.newSpace();
    await ask(space.owner, '@@usage 1000000 5\n@@reply x');
    await settled(space.owner);
    const rows = await platform.database.query(
      `select 1 from relay.low_balances where space_id = $1::uuid
       union all select 1 from relay.outbox where ctx->>'spaceId' = $1::text and name = 'relay.platform-change'`,
      [space.id],
    );
    expect(rows).toEqual([]);
  });
});

describe('limit.reached', () => {
  it('is raised at the first refusal by a limit, once an hour', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'limit.reached');
    await space.owner.patch(`/spaces/${space.id}`, { settings: { dailyTokenCap: 10 } });
    await until(async () => (await ask(space.owner, '@@usage 5 5\n@@reply x')).status === 429);
    for (let n = 0; n < 5; n += 1) expect((await ask(space.owner, 'x')).status).toBe(429);
    const { payload } = await raisedEvent(space, 'limit.reached');
    expect(payload).toEqual({
      kind: 'limit',
      at: expect.any(String) as string,
      limit: 'dailyTokenCap',
      value: 10,
      until: (await balanceOf(space.owner)).resetsAt,
    });
    await ask(space.owner, 'x');
    const turn = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'x' });
    await space.owner.post(`/agents/${turn.body.data.id as string}/execute`, { inputs: { query: 'x' } });
    await raisedEvent(space, 'limit.reached');
  });

  it('names the key whose limit it was, and writes nothing without a subscription', async () => {
    const space = await platform.newSpace();
    const made = await space.owner.post('/api-keys', { name: 'ci', limits: { dailyTokens: 10 } });
    const key = space.owner.as(`Bearer ${made.body.data.key as string}`);
    await ask(key, '@@usage 5 5\n@@reply x');
    await until(async () => (await ask(key, 'x')).status === 429);
    const rows = await platform.database.query(`select 1 from relay.reached_limits where space_id = $1`, [space.id]);
    expect(rows).toEqual([]);
    await watchPlatform(space, 'limit.reached');
    const raised = await until(
      async () => {
        await ask(key, 'x');
        const [envelope] = await platformEnvelopes(space.owner);
        return envelope ?? null;
      },
      { timeoutMs: 60_000 },
    );
    expect(raised.payload).toMatchObject({ limit: `keys/${made.body.data.id as string}/dailyTokens`, value: 10 });
  });

  it('is raised for a rate of requests of a key, until when it allows more', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'limit.reached');
    const key = await space.key({ limits: { requestsPerMinute: 2 } });
    await until(async () => (await key.get('/agents')).status === 429);
    const { payload } = await raisedEvent(space, 'limit.reached');
    expect(payload).toEqual({
      kind: 'limit',
      at: expect.any(String) as string,
      limit: `keys/${key.identity.keyId}/requestsPerMinute`,
      value: 2,
      until: expect.any(String) as string,
    });
    expect(Date.parse(payload.until as string)).toBeGreaterThan(Date.parse(payload.at as string));
    await key.get('/agents');
    expect(await platformEnvelopes(space.owner)).toHaveLength(1);
  });

  it.each([
    [
      'agents',
      1,
      (space: TestSpace) => space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'x' }),
    ],
    ['tasks', 1, (space: TestSpace) => space.owner.post('/tasks', { name: 'T', steps: [STEP] })],
    ['keys', 2, (space: TestSpace) => space.owner.post('/api-keys', { name: 'k' })],
    ['records', 1, insertOne],
  ] as const)('is raised for the ceiling %s, which does not end by itself', async (limit, value, create) => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'limit.reached');
    await space.operator.patch(`/operator/spaces/${space.id}`, { ceilings: { [limit]: value } });
    await until(async () => (await create(space)).status === 409);
    const { payload } = await raisedEvent(space, 'limit.reached');
    expect(payload).toEqual({ kind: 'limit', at: expect.any(String) as string, limit, value, until: null });
    await create(space);
    expect(await platformEnvelopes(space.owner)).toHaveLength(1);
  });
});

describe('limit.reached of limits of the configuration', () => {
  const secretsOf = (space: TestSpace): Promise<unknown> =>
    platform.database.query(
      `insert into key.secrets (space_id, id, name, sealed) select $1, gen_random_uuid(), 'S' || n, '\\x00' from generate_series(1, 200) n`,
      [space.id],
    );
  const keysOf = (space: TestSpace): Promise<unknown> =>
    platform.database.query(
      `insert into key.api_keys (space_id, id, name, type, user_id, last4, scopes)
       select $1, gen_random_uuid(), 'k' || n, 'USER', $2, 'abcd', '{}' from generate_series(1, 500) n`,
      [space.id, space.owner.identity.userId],
    );
  const endpointsOf = (space: TestSpace): Promise<unknown> =>
    platform.database.query(
      `insert into event_bus.endpoints (space_id, id, name, url, in_flight, active, secret)
       select $1, gen_random_uuid(), 'e' || n, 'https://example.com/', 1, false, '' from generate_series(1, 100) n`,
      [space.id],
    );

  const invitationsOf = (space: TestSpace): Promise<unknown> =>
    platform.database.query(
      `insert into key.invitations (space_id, id, email, role, expires_at)
       select $1, gen_random_uuid(), 'm' || n || '@example.com', 'VIEWER', now() + interval '1 day' from generate_series(1, $2::int) n`,
      [space.id, MEMBERS - 1],
    );
  const natsAccountsOf = (space: TestSpace): Promise<unknown> =>
    platform.database.query(
      `insert into key.nats_accounts (space_id, id, account_id, name, role, scopes, public_key, user_revision, admitted_at)
       select $1, id, substr(replace(id::text, '-', ''), 1, 22), 'n' || id, 'VIEWER', '{}', public_key, 0, now()
         from (select gen_random_uuid() as id, unnest($2::text[]) as public_key) made`,
      [space.id, Array.from({ length: 100 }, () => createUser().getPublicKey())],
    );

  it.each([
    ['members', MEMBERS, invitationsOf, '/spaces/<space>/members', { email: 'more@example.com', role: 'VIEWER' }],
    [
      'natsAccounts',
      100,
      natsAccountsOf,
      '/spaces/<space>/nats-accounts',
      { name: 'one-more', scopes: ['tasks:read'] },
    ],
    ['secrets', 200, secretsOf, '/secrets', { name: 'ONE_MORE', value: 'x' }],
    ['users/<owner>/keys', 500, keysOf, '/api-keys', { name: 'one-more' }],
    ['endpoints', 100, endpointsOf, '/events/endpoints', { name: 'one-more', url: 'https://example.com/' }],
  ] as const)('is raised for %s, and writes nothing without a subscription', async (name, value, fill, path, body) => {
    const refused = async (one: TestSpace): Promise<void> => {
      expect((await one.owner.post(path.replace('<space>', one.id), body)).status).toBe(409);
    };
    const space = await platform.newSpace();
    await fill(space);
    await refused(space);
    expect(await platform.database.query(`select 1 from relay.reached_limits where space_id = $1`, [space.id])).toEqual(
      [],
    );
    const other = await platform.newSpace();
    await watchPlatform(other, 'limit.reached');
    await fill(other);
    for (let n = 0; n < 3; n += 1) await refused(other);
    const limit = name.replace('<owner>', other.owner.identity.userId ?? '');
    const { payload } = await raisedEvent(other, 'limit.reached');
    expect(payload).toEqual({ kind: 'limit', at: expect.any(String) as string, limit, value, until: null });
    expect(await platformEnvelopes(other.owner)).toHaveLength(1);
  });

  it('is raised for the emissions that wait', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'limit.reached');
    const manifest = {
      identifier: `app-${space.id.slice(-12)}`,
      name: 'App',
      version: '1.0.0',
      events: [{ name: 'e', schema: {} }],
    };
    const { data } = (await space.owner.post('/applications', { manifest })).body;
    const app = space.owner.as(`Bearer ${data.systemApiKey as string}`);
    const event = { appIdentifier: manifest.identifier, event: 'e', payload: {} };
    const emit = (): Promise<Reply> => app.post('/events/emit', event);
    const { envelopeId } = (await emit()).body.data as { envelopeId: string };
    // More than 64 MiB wait, for later: of each, the size is what counts.
    await platform.database.query(
      `insert into event_bus.emissions (space_id, id, lane, app_identifier, event, event_id, payload, source, status, correlation_id, depth, emitted_at, payload_bytes, next_attempt_at)
       select m.space_id, gen_random_uuid(), m.lane, m.app_identifier, m.event, m.event_id, m.payload, m.source, 'PENDING', m.correlation_id, 0, m.emitted_at, 1048576, now() + interval '1 day'
         from event_bus.emissions m, generate_series(1, 70) where m.id = $1`,
      [envelopeId],
    );
    await until(async () => (await emit()).status === 429);
    await platform.database.query(`delete from event_bus.emissions where space_id = $1 and payload_bytes = 1048576`, [
      space.id,
    ]);
    const { payload } = await raisedEvent(space, 'limit.reached');
    const value = 64 * 1024 * 1024;
    expect(payload).toEqual({
      kind: 'limit',
      at: expect.any(String) as string,
      limit: 'eventBacklogBytes',
      value,
      until: null,
    });
  });
});

describe('limit.reached of work that no request waits for', () => {
  it('is raised if a ceiling refuses a step of a task', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'limit.reached');
    await space.operator.patch(`/operator/spaces/${space.id}`, { ceilings: { records: 1 } });
    const datasetId = await numbersOf(space);
    const steps = [{ id: 'add', type: 'dataset', with: { datasetId, operation: 'insert', records: [{ n: 1 }] } }];
    const task = (await space.owner.post('/tasks', { name: 'T', steps })).body.data.id as string;
    const isRefused = async (): Promise<boolean> => {
      const { id } = (await space.owner.post(`/tasks/${task}/execute`, {})).body.data;
      const ended = await until(async () => {
        const { data } = (await space.owner.get(`/tasks/runs/${id as string}`)).body;
        return ['SUCCEEDED', 'FAILED'].includes(data.status as string) ? data : null;
      });
      return ended.error?.code === 'CONFLICT';
    };
    await until(isRefused);
    expect((await raisedEvent(space, 'limit.reached')).payload).toMatchObject({ limit: 'records', value: 1 });
  });
});

async function numbersOf(space: TestSpace): Promise<string> {
  const fields = [{ name: 'n', type: 'integer' }];
  return (await space.owner.post('/datasets', { name: 'numbers', schema: { fields } })).body.data.id as string;
}

async function insertOne(space: TestSpace): Promise<Reply> {
  const { body } = await space.owner.get('/datasets?limit=1');
  const existing = body.data[0]?.id as string | undefined;
  return space.owner.post(`/datasets/${existing ?? (await numbersOf(space))}/data/insert`, { records: [{ n: 1 }] });
}
