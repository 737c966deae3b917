import { randomUUID } from 'node:crypto';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const NOWHERE = '01890000-0000-7000-8000-000000000000';

describe('POST /spaces', () => {
  it('makes an operator OWNER of a new Space', async () => {
    const owner = await platform.owner();
    const { status, body } = await owner.post('/spaces', { name: '  Research ' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      name: 'Research',
      role: 'OWNER',
      settings: {},
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const there = await owner.post('/auth/switch-space', { spaceId: body.data.id });
    expect(there.body.data.space).toMatchObject({ id: body.data.id, role: 'OWNER' });
  });

  it('gives the first answer again for the same idempotency key', async () => {
    const owner = await platform.owner();
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const name = `Once ${randomUUID()}`;
    const first = await owner.post('/spaces', { name }, options);
    const again = await owner.post('/spaces', { name }, options);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    const other = await owner.post('/spaces', { name: 'Twice' }, options);
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    const list = await owner.get('/spaces?limit=100');
    expect(list.body.data.filter((space: { name: string }) => space.name === name)).toHaveLength(1);
  });

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: '  ' }],
    [{ name: 1 }],
    [{ name: 'x'.repeat(201) }],
    [{ name: 'x', id: NOWHERE }],
    [{ name: 'x', role: 'OWNER' }],
  ])('refuses %j', async (body) => {
    const { owner } = await platform.newSpace();
    const reply = await owner.post('/spaces', body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('refuses callers who are no operators, and keys of operators', async () => {
    const space = await platform.newSpace();
    const operator = await platform.owner();
    const made = await operator.post('/api-keys', { name: 'mine', scopes: ['*'] });
    const key = operator.as(`Bearer ${made.body.data.key as string}`);
    for (const client of [space.owner, await space.key({ scopes: ['*'] }), key]) {
      const { status, body } = await client.post('/spaces', { name: 'x' });
      expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
      expect(body.message).toMatch(/^Spaces are made by an operator of this platform/);
    }
  });

  it('refuses a VIEWER, and a key without the scope', async () => {
    const space = await platform.newSpace();
    expect((await (await space.member('VIEWER')).post('/spaces', { name: 'x' })).status).toBe(403);
    expect((await (await space.key({ scopes: ['spaces:read'] })).post('/spaces', { name: 'x' })).status).toBe(403);
  });
});

describe('GET /spaces', () => {
  it('lists the Spaces of the caller, newest first, page by page', async () => {
    const space = await platform.newSpace();
    for (const name of ['b', 'c', 'd']) await space.anotherOf(space.owner, name);
    const first = await space.owner.get('/spaces?limit=3');
    expect(first.body.data.map((row: { name: string }) => row.name)).toEqual(['d', 'c', 'b']);
    expect(first.body.page).toEqual({ limit: 3, nextCursor: expect.any(String) });
    const rest = await space.owner.get(`/spaces?limit=3&cursor=${first.body.page.nextCursor}`);
    expect(rest.body.data.map((row: { id: string }) => row.id)).toEqual([space.id]);
    expect(rest.body.page.nextCursor).toBeNull();
  });

  it('shows a key the one Space it acts in', async () => {
    const space = await platform.newSpace();
    await space.anotherOf(space.owner, 'another');
    const key = await space.key({ scopes: ['spaces:read'] });
    expect((await key.get('/spaces')).body.data.map((row: { id: string }) => row.id)).toEqual([space.id]);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'cursor=x', 'cursor=WyJ4IiwieSJd', 'page=1'])(
    'refuses ?%s',
    async (query) => {
      const { owner } = await platform.newSpace();
      expect((await owner.get(`/spaces?${query}`)).status).toBe(400);
    },
  );
});

describe('GET /spaces/{spaceId}', () => {
  it('shows ADMIN and up the webhook secret, others not', async () => {
    const space = await platform.newSpace();
    for (const role of ['OWNER', 'ADMIN'] as const) {
      const { body, headers } = await (await space.member(role)).get(`/spaces/${space.id}`);
      expect(body.data.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(headers['cache-control']).toContain('no-store');
    }
    for (const role of ['MEMBER', 'VIEWER'] as const) {
      const { status, body } = await (await space.member(role)).get(`/spaces/${space.id}`);
      expect(status).toBe(200);
      expect(body.data).not.toHaveProperty('webhookSecret');
    }
  });

  it('keeps the webhook secret encrypted, and out of lists', async () => {
    const space = await platform.newSpace();
    const { webhookSecret } = (await space.owner.get(`/spaces/${space.id}`)).body.data;
    const [row] = await platform.database.query<{ text: string }>(
      'select row_to_json(s)::text as text from key.spaces s where id = $1',
      [space.id],
    );
    expect(row?.text).not.toContain(Buffer.from(webhookSecret).toString('hex'));
    expect(JSON.stringify((await space.owner.get('/spaces')).body)).not.toContain('whsec_');
  });

  it('is 404 with a credential of another Space, even of the same person', async () => {
    const space = await platform.newSpace();
    const mine = await space.anotherOf(space.owner, 'mine too');
    expect((await space.owner.get(`/spaces/${mine}`)).status).toBe(404);
    const foreign = await platform.newSpace();
    const replies = await Promise.all([foreign.id, NOWHERE].map((id) => space.owner.get(`/spaces/${id}`)));
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    expect(replies[0]?.body).toEqual(replies[1]?.body);
  });

  it('refuses an id that is none with 400', async () => {
    const { owner } = await platform.newSpace();
    expect((await owner.get('/spaces/not-an-id')).status).toBe(400);
  });
});

describe('PATCH /spaces/{spaceId}', () => {
  it('renames, and merges settings', async () => {
    const space = await platform.newSpace();
    const path = `/spaces/${space.id}`;
    await space.owner.patch(path, { settings: { dailyTokenCap: 1000, taskConcurrency: 2 } });
    const renamed = await space.owner.patch(path, { name: 'New name' });
    expect(renamed.body.data).toMatchObject({
      name: 'New name',
      settings: { dailyTokenCap: 1000, taskConcurrency: 2 },
    });
    const merged = await space.owner.patch(path, {
      settings: { taskConcurrency: 3, jobConcurrency: 4, dailyTokenCap: null },
    });
    expect(merged.body.data.settings).toEqual({ taskConcurrency: 3, jobConcurrency: 4 });
    expect((await space.owner.get(path)).body.data).toMatchObject({
      name: 'New name',
      settings: { taskConcurrency: 3, jobConcurrency: 4 },
    });
    expect(Date.parse(merged.body.data.updatedAt)).toBeGreaterThan(Date.parse(merged.body.data.createdAt));
  });

  it('loses no setting of parallel changes', async () => {
    const space = await platform.newSpace();
    const changes = [
      { dailyTokenCap: 1 },
      { requestTokenCap: 2 },
      { minimumBalance: 3 },
      { taskConcurrency: 4 },
      { jobConcurrency: 5 },
      { captureContent: true },
    ];
    await Promise.all(changes.map((settings) => space.owner.patch(`/spaces/${space.id}`, { settings })));
    expect((await space.owner.get(`/spaces/${space.id}`)).body.data.settings).toEqual({
      dailyTokenCap: 1,
      requestTokenCap: 2,
      minimumBalance: 3,
      taskConcurrency: 4,
      jobConcurrency: 5,
      captureContent: true,
    });
    const events = (await space.owner.get(`/spaces/${space.id}/security-events`)).body.data as {
      action: string;
      details: { changes?: object[] };
    }[];
    expect(
      events.filter(({ action }) => action === 'space.changed').flatMap(({ details }) => details.changes),
    ).toContainEqual({ path: 'dailyTokenCap', from: null, to: 1 });
  });

  it.each([
    [{ settings: { dailyTokenCap: -1 } }],
    [{ settings: { requestTokenCap: 0 } }],
    [{ settings: { taskConcurrency: 0 } }],
    [{ settings: { taskConcurrency: 51 } }],
    [{ settings: { jobConcurrency: 51 } }],
    [{ settings: { jobConcurrency: 1.5 } }],
    [{ settings: { taskConcurrency: '2' } }],
    [{ settings: { captureContent: 'true' } }],
    [{ settings: { unknown: 1 } }],
    [{ settings: null }],
    [{ settings: [] }],
    [{ name: '' }],
    [{ id: NOWHERE }],
    [{ createdAt: '2020-01-01T00:00:00.000Z' }],
  ])('refuses %j', async (body) => {
    const space = await platform.newSpace();
    const reply = await space.owner.patch(`/spaces/${space.id}`, body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('needs ADMIN and spaces:write', async () => {
    const space = await platform.newSpace();
    const path = `/spaces/${space.id}`;
    for (const role of ['MEMBER', 'VIEWER'] as const) {
      expect((await (await space.member(role)).patch(path, { name: 'x' })).status).toBe(403);
    }
    expect((await (await space.key({ scopes: ['spaces:read'] })).patch(path, { name: 'x' })).status).toBe(403);
    expect((await (await space.member('ADMIN')).patch(path, { name: 'x' })).status).toBe(200);
    expect((await (await platform.newSpace()).owner.patch(path, { name: 'y' })).status).toBe(404);
  });
});

describe('POST /spaces/{spaceId}/webhook-secret/rotate', () => {
  it('replaces the secret, for ADMIN and up', async () => {
    const space = await platform.newSpace();
    const path = `/spaces/${space.id}`;
    const before = (await space.owner.get(path)).body.data.webhookSecret;
    expect((await (await space.member('MEMBER')).post(`${path}/webhook-secret/rotate`, {})).status).toBe(403);
    const { status, body, headers } = await space.owner.post(`${path}/webhook-secret/rotate`, {});
    expect(status).toBe(200);
    expect(headers['cache-control']).toContain('no-store');
    expect(body.data.webhookSecret).not.toBe(before);
    expect((await space.owner.get(path)).body.data.webhookSecret).toBe(body.data.webhookSecret);
    expect((await (await platform.newSpace()).owner.post(`${path}/webhook-secret/rotate`)).status).toBe(404);
  });
});

describe('GET /spaces/{spaceId}/security-events', () => {
  it('tells ADMIN and up who did what, and nothing secret', async () => {
    const space = await platform.newSpace();
    const key = await space.key({ name: 'to be revoked' });
    await space.owner.post(`/api-keys/${key.identity.keyId ?? ''}/rotate`, {});
    await space.owner.post(`/api-keys/${key.identity.keyId ?? ''}/revoke`, {});
    const member = await space.member('MEMBER');
    await space.owner.patch(`/spaces/${space.id}/members/${member.identity.userId ?? ''}`, { role: 'VIEWER' });
    const { status, body } = await space.owner.get(`/spaces/${space.id}/security-events?limit=100`);
    expect(status).toBe(200);
    const actions = body.data.map((event: { action: string }) => event.action);
    for (const action of [
      'space.created',
      'member.added',
      'key.created',
      'key.rotated',
      'key.revoked',
      'member.role-changed',
      'sign-in.opened',
    ]) {
      expect(actions).toContain(action);
    }
    expect(body.data.find((event: { action: string }) => event.action === 'key.revoked')).toMatchObject({
      target: key.identity.keyId,
      actorUserId: space.owner.identity.userId,
      requestId: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain(key.credential);
    expect((await member.get(`/spaces/${space.id}/security-events`)).status).toBe(403);
    expect((await (await platform.newSpace()).owner.get(`/spaces/${space.id}/security-events`)).status).toBe(404);
  });

  it('filters by action, actor and time, all together', async () => {
    const space = await platform.newSpace();
    const admin = await space.member('ADMIN');
    const key = await space.key({ scopes: ['keys:read', 'keys:write'] });
    await admin.post('/api-keys', { name: 'of the admin' });
    await key.post('/api-keys', { name: 'of the key', scopes: ['keys:read'] });
    interface Found {
      action: string;
      at: string;
      actor: { id?: string };
    }
    const find = async (query: string): Promise<Found[]> => {
      const { status, body } = await space.owner.get(`/spaces/${space.id}/security-events?limit=100&${query}`);
      expect({ query, status }).toEqual({ query, status: 200 });
      return body.data;
    };
    const made = await find('action=key.created');
    expect(made.map(({ actor }) => actor.id)).toEqual([
      key.identity.keyId,
      admin.identity.userId,
      space.owner.identity.userId,
    ]);
    expect(await find(`action=key.created&actor=${admin.identity.userId}`)).toEqual([made[1]]);
    expect(await find(`action=key.created&actor=${key.identity.keyId}`)).toEqual([made[0]]);
    const [newest, middle, oldest] = made.map(({ at }) => at);
    expect(await find(`action=key.created&from=${oldest}&to=${newest}`)).toEqual(made.slice(1));
    expect(await find(`action=key.created&from=${middle}&to=${newest}`)).toEqual([made[1]]);
    expect(await find('actor=machine&action=key.created')).toEqual([]);
    expect(await find('action=no.such-action')).toEqual([]);
    for (const query of ['actor=nobody', 'from=yesterday', 'action='])
      expect((await space.owner.get(`/spaces/${space.id}/security-events?${query}`)).status).toBe(400);
  });

  it('cannot be rewritten, not even by the owner of the tables', async () => {
    const tables = ['space_events', 'account_events'];
    const changes = ['update key.TABLE set action = action', 'delete from key.TABLE', 'truncate key.TABLE'];
    for (const table of tables) {
      for (const change of changes) {
        await expect(platform.database.query(change.replace('TABLE', table))).rejects.toThrow('only grows');
      }
    }
  });

  it('keeps failed sign-ins too', async () => {
    const { owner } = await platform.newSpace();
    await platform.anonymous.post('/auth/login', { email: owner.identity.email, password: 'not the password' });
    const rows = await platform.database.query(
      'select details::text from key.account_events where user_id = $1 and action = $2',
      [owner.identity.userId, 'login.failed'],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('not the password');
  });
});
