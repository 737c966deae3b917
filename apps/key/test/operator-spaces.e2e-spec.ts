import { randomUUID } from 'node:crypto';
import { type Client, type TestSpace, promised, until, usePlatform } from '@switchyard/testing';
import { newOperator, operatorKey } from './operator-people';

const platform = usePlatform();
const NOWHERE = '01890000-0000-7000-8000-000000000000';
const NO_CEILINGS = {
  dailyTokens: null,
  monthlyTokens: null,
  requestsPerMinute: null,
  taskConcurrency: null,
  jobConcurrency: null,
  members: null,
  agents: null,
  tasks: null,
  datasets: null,
  records: null,
  bytes: null,
  fileBytes: null,
  keys: null,
};
let operator: Client;
let space: TestSpace;

beforeAll(async () => {
  // One of its own: all tests make their Spaces as the first operator, whose requests are limited by the minute.
  operator = await newOperator(platform);
  space = await platform.newSpace();
});

const pathOf = (id: string): string => `/operator/spaces/${id}`;
const actionsOf = async (of: TestSpace): Promise<{ action: string; actor: object; details: object }[]> =>
  (await of.owner.get(`/spaces/${of.id}/security-events?limit=100`)).body.data;

describe('GET /operator/spaces/{id}', () => {
  it('shows a Space that an operator made, which pays for itself', async () => {
    const { status, body } = await operator.get(pathOf(space.id));
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: space.id,
      name: expect.any(String),
      status: 'ACTIVE',
      suspendedReason: null,
      createdAt: expect.any(String),
      owners: expect.arrayContaining([
        { userId: space.owner.identity.userId, email: space.owner.identity.email, name: expect.any(String) },
      ]),
      members: 2,
      balance: 1_000_000,
      unmetered: false,
      usageThisMonth: { tokens: 0, cost: 0, calls: 0 },
      bytesStored: 0,
      ceilings: NO_CEILINGS,
      payer: { kind: 'space', id: space.id },
    });
  });

  it('counts what the Space has used this month', async () => {
    const own = await platform.newSpace();
    const call = { model: 'sim-chat', messages: [{ role: 'user', content: '@@usage 100 23\n@@reply x' }] };
    expect((await own.owner.raw('POST', '/models/v1/chat/completions', call)).status).toBe(200);
    const usage = async () => (await operator.get(pathOf(own.id))).body.data;
    await until(async () => (await usage()).usageThisMonth.calls === 1);
    expect(await usage()).toMatchObject({
      balance: 1_000_000 - 123,
      usageThisMonth: { tokens: 123, calls: 1, cost: expect.any(Number) },
    });
  });

  it('is 404 for a Space that does not exist, and for callers who are no operators', async () => {
    expect((await operator.get(pathOf(NOWHERE))).status).toBe(404);
    expect((await space.owner.get(pathOf(space.id))).status).toBe(404);
    expect((await operator.get(pathOf('x'))).status).toBe(400);
  });
});

describe('GET /operator/spaces', () => {
  const idsOf = async (query: string): Promise<string[]> =>
    (await operator.get(`/operator/spaces?${query}`)).body.data.map((row: { id: string }) => row.id);

  it('finds a part of the name in any case, and takes no wildcards', async () => {
    const mark = randomUUID();
    const id = await space.anotherOf(space.owner, `A ${mark} 100% of_it`);
    expect(await idsOf(`q=${encodeURIComponent(`a ${mark.toUpperCase()} 100% OF_`)}`)).toEqual([id]);
    expect(await idsOf(`q=${encodeURIComponent(`${mark}%of`)}`)).toEqual([]);
    expect(await idsOf(`q=${mark}&status=SUSPENDED`)).toEqual([]);
    expect(await idsOf(`q=${mark}&status=ACTIVE`)).toEqual([id]);
  });

  it.each(['createdAt', 'tokens', 'bytes'])('is read page by page, sorted by %s', async (sort) => {
    const mark = randomUUID();
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) made.push(await space.anotherOf(space.owner, `${mark} ${n}`));
    await platform.database.query(
      `update key.space_totals t set month = date_trunc('month', now() at time zone 'utc')::date, tokens = p.place, bytes = p.place
       from unnest($1::uuid[]) with ordinality as p (id, place) where t.space_id = p.id`,
      [made],
    );
    const first = await operator.get(`/operator/spaces?q=${mark}&sort=${sort}&limit=2`);
    const cursor = first.body.page.nextCursor as string;
    const rest = await operator.get(`/operator/spaces?q=${mark}&sort=${sort}&limit=2&cursor=${cursor}`);
    const ids = [...first.body.data, ...rest.body.data].map((row: { id: string }) => row.id);
    expect([ids, rest.body.page.nextCursor]).toEqual([made.toReversed(), null]);
  });

  it('reports what Spaces use within a minute', async () => {
    const own = await platform.newSpace();
    const call = { model: 'sim-chat', messages: [{ role: 'user', content: '@@usage 5 5\n@@reply x' }] };
    await own.owner.raw('POST', '/models/v1/chat/completions', call);
    const name = (await own.owner.get('/spaces')).body.data[0].name as string;
    await until(
      async () =>
        (await operator.get(`/operator/spaces?q=${encodeURIComponent(name)}`)).body.data[0].usageThisMonth.tokens ===
        10,
      { timeoutMs: promised(60_000) },
    );
  });

  it.each(['sort=name', 'status=GONE', 'q=', 'limit=0', 'cursor=x', 'page=1'])('refuses ?%s', async (query) => {
    expect((await operator.get(`/operator/spaces?${query}`)).status).toBe(400);
  });
});

describe('POST /operator/spaces', () => {
  it('makes a Space for an account that is there', async () => {
    const { userId } = space.owner.identity;
    const body = { name: ' For them ', owner: { userId }, tokens: 7, ceilings: { agents: 1 }, payer: space.id };
    const made = await operator.post('/operator/spaces', body);
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      name: 'For them',
      owners: [{ userId }],
      members: 1,
      balance: 7,
      ceilings: { ...NO_CEILINGS, agents: 1 },
      payer: { kind: 'space', id: space.id },
    });
    expect(made.body.data).not.toHaveProperty('invitation');
    const switched = await space.owner.post('/auth/switch-space', { spaceId: made.body.data.id });
    const there = space.owner.as(`Bearer ${switched.body.data.accessToken as string}`);
    expect((await there.get('/usage/balance')).body.data.balance).toBe(7);
  });

  it('makes an account with a password, or invites', async () => {
    const email = `${randomUUID()}@test.example`;
    const withAccount = await operator.post('/operator/spaces', {
      name: 'With an account',
      owner: { email, password: 'a first password' },
    });
    expect(withAccount.body.data.owners).toEqual([expect.objectContaining({ email })]);
    expect((await platform.anonymous.post('/auth/login', { email, password: 'a first password' })).status).toBe(200);

    const options = { headers: { 'idempotency-key': randomUUID() } };
    const ask = { name: 'By invitation', owner: { email: `${randomUUID()}@test.example` } };
    const invited = await operator.post('/operator/spaces', ask, options);
    expect(invited.body.data).toMatchObject({ owners: [], members: 0, balance: 1_000_000 });
    const { token } = invited.body.data.invitation as { token: string };
    const accepted = await platform.anonymous.post('/auth/invitations/accept', { token, password: 'of my own choice' });
    expect(accepted.body.data.space).toMatchObject({ id: invited.body.data.id, role: 'OWNER' });
    const again = await operator.post('/operator/spaces', ask, options);
    expect([again.body.data.id, again.body.data.invitation]).toEqual([invited.body.data.id, undefined]);
  });

  it.each([
    [{ name: 'x' }],
    [{ name: 'x', owner: {} }],
    [{ name: 'x', owner: { email: 'a@test.example', userId: NOWHERE } }],
    [{ name: 'x', owner: { userId: NOWHERE, password: 'a first password' } }],
    [{ name: 'x', owner: { email: 'a@test.example' }, tokens: -1 }],
    [{ name: 'x', owner: { email: 'a@test.example' }, ceilings: { agents: -1 } }],
    [{ name: 'x', owner: { email: 'a@test.example' }, ceilings: { dogs: 1 } }],
  ])('refuses %j', async (body) => {
    expect((await operator.post('/operator/spaces', body)).status).toBe(400);
  });

  it('is 404 for an account or a payer that is none', async () => {
    expect((await operator.post('/operator/spaces', { name: 'x', owner: { userId: NOWHERE } })).status).toBe(404);
    const body = { name: 'x', owner: { email: 'a@test.example' }, payer: NOWHERE };
    expect((await operator.post('/operator/spaces', body)).status).toBe(404);
  });

  it('needs the scope operator:write', async () => {
    const reader = await operatorKey(operator);
    const writer = await operatorKey(operator, ['operator:write']);
    const body = { name: 'x', owner: { userId: space.owner.identity.userId } };
    expect((await reader.post('/operator/spaces', body)).status).toBe(403);
    expect((await writer.post('/operator/spaces', body)).status).toBe(201);
    expect((await reader.get('/operator/spaces?limit=1')).status).toBe(200);
  });
});

describe('PATCH /operator/spaces/{id}', () => {
  it('merges ceilings, and null takes one back', async () => {
    const own = await platform.newSpace();
    await operator.patch(pathOf(own.id), { ceilings: { agents: 3, keys: 0 } });
    const { body } = await operator.patch(pathOf(own.id), { ceilings: { agents: null, tasks: 2 }, name: 'New name' });
    expect(body.data).toMatchObject({ name: 'New name', ceilings: { ...NO_CEILINGS, keys: 0, tasks: 2 } });
    const events = (await actionsOf(own)).filter(({ action }) => action === 'space.ceilings.changed');
    expect(events).toMatchObject([
      { actor: { type: 'operator' }, details: { ceilings: { agents: null, tasks: 2 } } },
      { details: { ceilings: { agents: 3, keys: 0 } } },
    ]);
    const [renamed] = (await actionsOf(own)).filter(({ action }) => action === 'space.changed');
    expect(renamed).toMatchObject({
      details: { changes: [{ path: 'name', from: expect.any(String), to: 'New name' }] },
    });
  });

  it('names the Space that pays, or the Space itself', async () => {
    const own = await platform.newSpace();
    const other = await operator.patch(pathOf(own.id), { payer: space.id, unmetered: true });
    expect(other.body.data).toMatchObject({ payer: { kind: 'space', id: space.id }, unmetered: true });
    expect((await operator.patch(pathOf(own.id), { payer: null })).body.data.payer).toEqual({
      kind: 'space',
      id: own.id,
    });
    expect((await operator.patch(pathOf(own.id), { payer: NOWHERE })).status).toBe(404);
    expect((await operator.patch(pathOf(NOWHERE), { name: 'x' })).status).toBe(404);
  });

  it('follows the payer of the payer, and refuses rings and long rows', async () => {
    const [first, second, third] = [await platform.newSpace(), await platform.newSpace(), await platform.newSpace()];
    const name = (of: TestSpace, payer: TestSpace | null) =>
      operator.patch(pathOf(of.id), { payer: payer?.id ?? null });
    const payerOf = async (of: TestSpace) => (await operator.get(pathOf(of.id))).body.data.payer.id;
    await name(first, second);
    expect((await name(second, third)).status).toBe(200);
    expect(await payerOf(first)).toBe(third.id);
    const refused = await name(third, first);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('payer')]);
    await platform.database.query(`update key.spaces set payer_kind = 'user', payer_id = $2 where space_id = $1`, [
      third.id,
      third.owner.identity.userId,
    ]);
    expect((await operator.get(pathOf(first.id))).body.data.payer).toEqual({
      kind: 'user',
      id: third.owner.identity.userId,
    });
    expect((await name(third, null)).status).toBe(200);
    let last = first;
    for (let n = 4; n <= 8; n += 1) {
      const before = await platform.newSpace();
      expect((await name(before, last)).status).toBe(200);
      last = before;
    }
    expect(await payerOf(last)).toBe(third.id);
    expect((await name(await platform.newSpace(), last)).status).toBe(400);
    expect((await name(third, await platform.newSpace())).status).toBe(400);
  });

  it('lets an unmetered Space go on with a balance of 0', async () => {
    const own = await platform.newSpace();
    await own.credit(-1_000_000);
    const ask = () =>
      own.owner.raw('POST', '/models/v1/chat/completions', {
        model: 'sim-chat',
        messages: [{ role: 'user', content: '@@usage 1 1\n@@reply x' }],
      });
    expect((await ask()).status).toBe(402);
    await operator.patch(pathOf(own.id), { unmetered: true });
    await until(async () => (await ask()).status === 200);
  });
});

describe('POST /operator/spaces/{id}/credits', () => {
  it('is in the log of the Space, once', async () => {
    const own = await platform.newSpace();
    const body = { tokens: 5, note: 'a gift', idempotencyKey: randomUUID() };
    for (let n = 0; n < 2; n += 1) expect((await operator.post(`${pathOf(own.id)}/credits`, body)).status).toBe(201);
    const events = (await actionsOf(own)).filter(({ action }) => action === 'space.credited');
    expect(events).toMatchObject([
      { actor: { type: 'operator', id: operator.identity.userId }, details: { tokens: 5, note: 'a gift' } },
    ]);
    expect((await operator.post(`${pathOf(NOWHERE)}/credits`, { tokens: 5 })).status).toBe(404);
  });

  it('sent many times at once with one key is booked once, and the others hear that it is still running', async () => {
    const own = await platform.newSpace();
    const body = { tokens: 1000, idempotencyKey: randomUUID() };
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => operator.post(`${pathOf(own.id)}/credits`, body)),
    );
    const outcomes = replies.map(({ status, body, headers }) => `${status} ${body.code} ${headers['retry-after']}`);
    const others = outcomes.filter((outcome) => outcome !== '201 undefined undefined');
    expect(others.length).toBeLessThan(50);
    expect(others.filter((outcome) => outcome !== '409 REQUEST_IN_PROGRESS 1')).toEqual([]);
    expect((await operator.post(`${pathOf(own.id)}/credits`, body)).status).toBe(201);
    const booked = (await own.owner.get('/usage/ledger')).body.data as { tokens: number }[];
    expect(booked.filter(({ tokens }) => tokens === 1000)).toHaveLength(1);
  });

  it('that the relay refuses leaves one event with the reason, and is not tried again', async () => {
    const own = await platform.newSpace();
    // Opens the account.
    await own.credit(1);
    const full = await platform.database.query(
      'update relay.accounts set balance = 9223372036854775000 where space_id = $1 returning 1',
      [own.id],
    );
    expect(full).toHaveLength(1);
    const body = { tokens: 1_000_000, note: 'too much', idempotencyKey: randomUUID() };
    for (let n = 0; n < 2; n += 1) {
      const refused = await operator.post(`${pathOf(own.id)}/credits`, body);
      expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    const listed = await operator.get(`/operator/events?spaceId=${own.id}&action=space.credit.refused`);
    expect(listed.body.data).toMatchObject([
      {
        actor: { type: 'operator', id: operator.identity.userId },
        target: own.id,
        details: { tokens: 1_000_000, note: 'too much', reason: expect.stringContaining('out of range') },
      },
    ]);
    expect(listed.body.data).toHaveLength(1);
    const [intent] = await platform.database.query<{ settled: boolean }>(
      'select settled_at is not null as settled from key.credit_intents where space_id = $1',
      [own.id],
    );
    expect(intent?.settled).toBe(true);
  });
});

it.each(['end', 'restore', 'erase'])('POST /operator/spaces/{id}/%s is not there yet', async (verb) => {
  expect((await operator.post(`${pathOf(space.id)}/${verb}`, {})).status).toBe(404);
});
