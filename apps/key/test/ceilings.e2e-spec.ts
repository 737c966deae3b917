import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const set = async (space: TestSpace, ceilings: object): Promise<void> => {
  expect((await space.operator.patch(`/operator/spaces/${space.id}`, { ceilings })).status).toBe(200);
};

/** Creates one more resource of a ceiling. */
const MAKE: Record<string, (space: TestSpace, client: Client, n: number) => ReturnType<Client['post']>> = {
  agents: (_, client, n) => client.post('/agents', { name: `A ${n}`, model: 'sim-chat', systemPrompt: 'x' }),
  tasks: (_, client, n) =>
    client.post('/tasks', { name: `T ${n}`, steps: [{ id: 'a', type: 'transform', with: { b: 1 } }] }),
  datasets: (_, client, n) =>
    client.post('/datasets', { name: `D ${n}`, schema: { fields: [{ name: 'a', type: 'string' }] } }),
  keys: (_, client, n) => client.post('/api-keys', { name: `K ${n}` }),
  members: (space, client, n) =>
    client.post(`/spaces/${space.id}/members`, { email: `m${n}-${space.id}@test.example`, role: 'MEMBER' }),
};

describe.each(Object.keys(MAKE))('the ceiling %s', (name) => {
  const make = MAKE[name]!;
  const usedOf = async (space: TestSpace): Promise<number> =>
    (await space.owner.get(`/spaces/${space.id}`)).body.data.used[name] as number;

  it('refuses one more with 409 naming it, at the same moment as well, and deletes nothing', async () => {
    const space = await platform.newSpace();
    const before = await usedOf(space);
    await set(space, { [name]: before + 2 });
    const replies = await Promise.all([1, 2, 3, 4, 5].map((n) => make(space, space.owner, n)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect([refused?.body.code, refused?.body.message]).toEqual([
      'CONFLICT',
      expect.stringContaining(`ceiling ${name} (${before + 2})`),
    ]);
    await set(space, { [name]: 0 });
    expect((await make(space, space.owner, 6)).status).toBe(409);
    await until(async () => (await usedOf(space)) === before + 2);
    await set(space, { [name]: null });
    expect((await make(space, space.owner, 7)).status).toBe(201);
  });
});

describe('the ceilings of tokens', () => {
  const ask = (client: Client) =>
    client.raw('POST', '/models/v1/chat/completions', {
      model: 'sim-chat',
      max_tokens: 20,
      messages: [{ role: 'user', content: '@@usage 60 40\n@@reply x' }],
    });

  it.each([
    ['dailyTokens', 'DAILY_LIMIT_EXCEEDED'],
    ['monthlyTokens', 'MONTHLY_LIMIT_EXCEEDED'],
  ])('refuse model calls over %s with 429', async (name, code) => {
    const space = await platform.newSpace();
    expect((await ask(space.owner)).status).toBe(200);
    await set(space, { [name]: 100 });
    const refused = await until(async () => {
      const reply = await ask(space.owner);
      return reply.status === 429 ? reply : null;
    });
    expect(refused.body.code).toBe(code);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const { used, ceilings } = (await space.owner.get(`/spaces/${space.id}`)).body.data;
    expect([used[name], ceilings[name]]).toEqual([100, 100]);
    await set(space, { [name]: 0 });
    expect((await ask(space.owner)).status).toBe(429);
    await set(space, { [name]: null });
    expect((await ask(space.owner)).status).toBe(200);
  });
});

describe('a setting of the Space', () => {
  it.each([
    ['dailyTokenCap', 'dailyTokens'],
    ['taskConcurrency', 'taskConcurrency'],
    ['jobConcurrency', 'jobConcurrency'],
  ])('%s is refused above its ceiling %s, and stays when that is lowered', async (setting, name) => {
    const space = await platform.newSpace();
    const path = `/spaces/${space.id}`;
    expect((await space.owner.patch(path, { settings: { [setting]: 9 } })).status).toBe(200);
    await set(space, { [name]: 5 });
    const { status, body } = await space.owner.patch(path, { settings: { [setting]: 6 } });
    expect([status, body.code, body.message]).toEqual([
      400,
      'VALIDATION_ERROR',
      expect.stringContaining(`ceiling ${name}`),
    ]);
    expect((await space.owner.get(path)).body.data.settings[setting]).toBe(9);
    expect((await space.owner.patch(path, { settings: { [setting]: 5 } })).status).toBe(200);
  });
});

it('shows ceilings and use to ADMIN and up alone', async () => {
  const space = await platform.newSpace();
  await set(space, { agents: 3 });
  const path = `/spaces/${space.id}`;
  const { ceilings, used } = (await (await space.member('ADMIN')).get(path)).body.data;
  expect(ceilings).toMatchObject({ agents: 3, tasks: null });
  expect(used).toEqual({
    dailyTokens: 0,
    monthlyTokens: 0,
    members: 3,
    agents: 0,
    tasks: 0,
    datasets: 0,
    records: 0,
    bytes: 0,
    fileBytes: 0,
    keys: 0,
  });
  for (const role of ['MEMBER', 'VIEWER'] as const) {
    const { data } = (await (await space.member(role)).get(path)).body;
    expect([data.ceilings, data.used]).toEqual([undefined, undefined]);
  }
});
