import { type Client, type TestSpace, promised, signIn, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const AGENT = { name: 'Tester', model: 'sim-chat', systemPrompt: 'You are a test.' };
const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
const SUSPENDED = [403, 'SPACE_SUSPENDED', expect.stringContaining('unpaid since March')];

const decide = async (space: TestSpace, verb: 'suspend' | 'resume', body = {}): Promise<void> => {
  const reply = await space.operator.post(`/operator/spaces/${space.id}/${verb}`, body);
  expect(reply.status).toBe(200);
};
const suspend = (space: TestSpace, reason = 'unpaid since March'): Promise<void> =>
  decide(space, 'suspend', { reason });
const answerOf = async (client: Client, path = '/agents'): Promise<unknown[]> => {
  const { status, body } = await client.get(path);
  return [status, body.code, body.message];
};

describe('a suspended Space', () => {
  it('refuses every credential with the reason, and takes them all again when it is resumed', async () => {
    const space = await platform.newSpace();
    const system = await space.owner.post('/applications', {
      identifier: `app-${space.id}`,
      name: 'App',
      version: '1.0.0',
      manifest: {},
    });
    const clients = [space.owner, await space.member('VIEWER'), await space.key()];
    for (const client of clients) expect((await client.get('/agents')).status).toBe(200);
    await suspend(space);
    for (const client of clients) expect(await answerOf(client)).toEqual(SUSPENDED);
    const [first] = clients;
    expect((await first!.raw('GET', '/models/v1/models')).status).toBe(403);
    expect((await first!.raw('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(403);
    expect(system.status).toBeLessThan(500);
    await suspend(space, 'another reason');
    expect((await answerOf(space.owner))[2]).toContain('another reason');
    await decide(space, 'resume');
    for (const client of clients) expect((await client.get('/agents')).status).toBe(200);
    await decide(space, 'resume');
  });

  it('refuses its keys also where a signed-in person goes on', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    await suspend(space);
    for (const path of ['/auth/me', '/spaces']) {
      expect(await answerOf(key, path)).toEqual(SUSPENDED);
      expect((await space.owner.get(path)).status).toBe(200);
    }
  });

  it('lets its people sign in, read their account, and go to their other Spaces', async () => {
    const space = await platform.newSpace();
    const other = await space.anotherOf(space.owner);
    await suspend(space);
    const { email, password } = space.owner.identity;
    const again = await signIn(platform.anonymous, email ?? '', password ?? '', space.id);
    expect(await answerOf(again)).toEqual(SUSPENDED);
    expect((await again.get('/auth/me')).body.data.space.id).toBe(space.id);
    const moved = await again.post('/auth/switch-space', { spaceId: other });
    const there = again.as(`Bearer ${moved.body.data.accessToken as string}`);
    expect((await there.get('/agents')).status).toBe(200);
  });

  it('leaves an operator the routes of operators, also with a token of that Space', async () => {
    const space = await platform.newSpace();
    await suspend(space);
    const { email = '', password = '' } = space.operator.identity;
    const operator = await signIn(platform.anonymous, email, password, space.id);
    expect(await answerOf(operator)).toEqual(SUSPENDED);
    const { status, body } = await operator.get(`/operator/spaces/${space.id}`);
    expect([status, body.data.status, body.data.suspendedReason]).toEqual([200, 'SUSPENDED', 'unpaid since March']);
    const listed = await operator.get('/operator/spaces?status=SUSPENDED&limit=100');
    expect(listed.body.data.map((row: { id: string }) => row.id)).toContain(space.id);
  });

  it('ends its streams within a second, and its turn goes on after it is resumed', async () => {
    const space = await platform.newSpace();
    const agentId = (await space.owner.post('/agents', { ...AGENT, tools: ['query_dataset'] })).body.data.id as string;
    const text = '@@delay 50\n@@tokens 40\n@@tool query_dataset {}\n@@reply after the tool';
    const body = { contents: [{ type: 'text', text }] };
    const stream = await space.owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM });
    const turnId = stream.headers['x-turn-id'] as string;
    const calls = async (): Promise<number> =>
      (
        await platform.database.query('select 1 from relay.ledger where space_id = $1 and type = $2', [
          space.id,
          'SETTLEMENT',
        ])
      ).length;
    const statusOf = async (): Promise<string | undefined> =>
      (
        await platform.database.query<{ status: string }>('select status from session.turns where space_id = $1', [
          space.id,
        ])
      )[0]?.status;
    const frames = stream.frames[Symbol.asyncIterator]();
    await frames.next();
    const from = Date.now();
    await suspend(space);
    for (let next = await frames.next(); next.done !== true; next = await frames.next());
    expect(Date.now() - from).toBeLessThan(promised(1_500));
    await until(async () => (await calls()) === 1);
    for (let n = 0; n < 20; n += 1) expect(await answerOf(space.owner)).toEqual(SUSPENDED);
    expect([await calls(), await statusOf()]).toEqual([1, 'RUNNING']);
    await decide(space, 'resume');
    await until(async () => (await statusOf()) === 'COMPLETED');
    expect(await calls()).toBe(2);
    expect(turnId).toEqual(expect.any(String));
  });

  it.each([[{}], [{ reason: '' }], [{ reason: ' ' }], [{ reason: 'x'.repeat(501) }], [{ reason: 'x', until: 1 }]])(
    'is not made by %j',
    async (body) => {
      const space = await platform.newSpace();
      expect((await space.operator.post(`/operator/spaces/${space.id}/suspend`, body)).status).toBe(400);
    },
  );

  it('has it in its log', async () => {
    const space = await platform.newSpace();
    await suspend(space);
    await decide(space, 'resume');
    const events = (await space.owner.get(`/spaces/${space.id}/security-events`)).body.data;
    expect(events.slice(0, 2)).toMatchObject([
      { action: 'space.resumed', actor: { type: 'operator' } },
      { action: 'space.suspended', actor: { type: 'operator' }, details: { reason: 'unpaid since March' } },
    ]);
  });
});

describe('the ceiling requestsPerMinute', () => {
  it('refuses what is over it with 429, and allows nothing with 0', async () => {
    const space = await platform.newSpace();
    const set = (requestsPerMinute: number | null) =>
      space.operator.patch(`/operator/spaces/${space.id}`, { ceilings: { requestsPerMinute } });
    await set(0);
    const { status, body, headers } = await space.owner.get('/agents');
    expect([status, body.code, body.message]).toEqual([
      429,
      'RATE_LIMITED',
      expect.stringContaining('requestsPerMinute'),
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await set(null);
    expect((await space.owner.get('/agents')).status).toBe(200);
  });
});
