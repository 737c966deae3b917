import { type Client, type Reply, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const VALUE = 'a value that nobody sees';
const NOBODY = '01890000-0000-7000-8000-000000000000';

describe('the secrets of a Space', () => {
  let space: TestSpace;
  let owner: Client;
  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  const create = (body: object, as = owner): Promise<Reply> => as.post('/secrets', { value: VALUE, ...body });
  const refused = (reply: Reply, status: number, code: string): void => {
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  };

  it('are made and read without their value', async () => {
    const made = await create({
      name: 'Token_1',
      description: 'of the CRM',
      hosts: ['API.Example.com', '*.example.com:8443'],
    });
    expect(made.status).toBe(201);
    const record = {
      id: expect.any(String),
      name: 'Token_1',
      description: 'of the CRM',
      hosts: ['api.example.com', '*.example.com:8443'],
      version: 1,
      createdBy: owner.identity.userId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      lastUsedAt: null,
    };
    expect(made.body.data).toEqual(record);
    const { id } = made.body.data;
    expect((await owner.get(`/secrets/${id}`)).body.data).toEqual({ ...record, usedBy: [] });
    expect((await owner.get('/secrets')).body.data).toContainEqual(record);
  });

  it('change field by field; a new value is a new version', async () => {
    const { id } = (await create({ name: 'changing', hosts: ['a.example'] })).body.data;
    const described = await owner.put(`/secrets/${id}`, { description: 'new' });
    expect(described.body.data).toMatchObject({ description: 'new', hosts: ['a.example'], version: 1 });
    const valued = await owner.put(`/secrets/${id}`, { value: 'another', hosts: [] });
    expect(valued.body.data).toMatchObject({ description: 'new', hosts: [], version: 2 });
    expect(JSON.stringify(valued)).not.toContain('another');
  });

  it('go to more hosts only together with their value', async () => {
    const { id } = (await create({ name: 'narrow', hosts: ['*.a.example:8443'] })).body.data;
    for (const hosts of [[], ['*.example:8443'], ['*.a.example'], ['x.a.example:8443', 'b.example']]) {
      const reply = await owner.put(`/secrets/${id}`, { hosts });
      refused(reply, 400, 'VALIDATION_ERROR');
      expect(reply.body.details).toEqual([{ path: 'value', message: expect.any(String) }]);
    }
    const narrower = await owner.put(`/secrets/${id}`, { hosts: ['x.a.example:8443'] });
    expect(narrower.body.data).toMatchObject({ hosts: ['x.a.example:8443'], version: 1 });
    const wider = await owner.put(`/secrets/${id}`, { value: VALUE, hosts: ['b.example'] });
    expect(wider.body.data).toMatchObject({ hosts: ['b.example'], version: 2 });
  });

  it('have names that are unique in the Space, regardless of case', async () => {
    expect((await create({ name: 'Twice' })).status).toBe(201);
    refused(await create({ name: 'TWICE' }), 409, 'CONFLICT');
    const other = await platform.newSpace();
    expect((await create({ name: 'twice' }, other.owner)).status).toBe(201);
  });

  it.each<[object, string]>([
    [{ name: '1st' }, 'name'],
    [{ name: 'a-b' }, 'name'],
    [{ name: `a${'b'.repeat(63)}` }, 'name'],
    [{ name: 'ok', value: '' }, 'value'],
    [{ name: 'ok', value: 'ü'.repeat(4097) }, 'value'],
    [{ name: 'ok', value: 5 }, 'value'],
    [{ name: 'ok', hosts: ['https://a.example'] }, 'hosts[0]'],
    [{ name: 'ok', version: 2 }, 'version'],
  ])('refuse %j', async (body, path) => {
    const reply = await create(body);
    refused(reply, 400, 'VALIDATION_ERROR');
    expect(reply.body.details).toEqual([{ path, message: expect.any(String) }]);
  });

  it('take a value of one byte and of 8 KiB', async () => {
    expect((await create({ name: 'shortest', value: 'x' })).status).toBe(201);
    expect((await create({ name: 'longest', value: 'ü'.repeat(4096) })).status).toBe(201);
  });

  it('are read by MEMBER and up, changed by ADMIN and up, with their scopes', async () => {
    const { id } = (await create({ name: 'roles' })).body.data;
    const path = `/secrets/${id}`;
    const [viewer, member, admin] = [await space.member('VIEWER'), await space.member(), await space.member('ADMIN')];
    refused(await viewer.get('/secrets'), 403, 'FORBIDDEN');
    refused(await viewer.get(path), 403, 'FORBIDDEN');
    expect([(await member.get('/secrets')).status, (await member.get(path)).status]).toEqual([200, 200]);
    refused(await create({ name: 'mine' }, member), 403, 'FORBIDDEN');
    refused(await member.put(path, { value: 'x' }), 403, 'FORBIDDEN');
    refused(await member.delete(path), 403, 'FORBIDDEN');
    expect((await admin.put(path, { value: 'x' })).status).toBe(200);
    const reader = await space.key({ scopes: ['secrets:read'] });
    expect((await reader.get(path)).status).toBe(200);
    refused(await reader.put(path, { value: 'x' }), 403, 'FORBIDDEN');
    refused(await (await space.key({ scopes: ['spaces:write'] })).get(path), 403, 'FORBIDDEN');
    expect((await (await space.key({ scopes: ['secrets:write'] })).delete(path)).status).toBe(200);
    refused(await owner.get(path), 404, 'NOT_FOUND');
  });

  it('do not exist for another Space', async () => {
    const { id } = (await create({ name: 'ours' })).body.data;
    const foreign = (await platform.newSpace()).owner;
    for (const reply of [
      await foreign.get(`/secrets/${id}`),
      await foreign.put(`/secrets/${id}`, { value: 'x' }),
      await foreign.delete(`/secrets/${id}?force=true`),
    ])
      refused(reply, 404, 'NOT_FOUND');
    expect((await foreign.get('/secrets')).body.data).toEqual([]);
    refused(await owner.delete(`/secrets/${NOBODY}`), 404, 'NOT_FOUND');
    refused(await owner.delete(`/secrets/${id}?force=perhaps`), 400, 'VALIDATION_ERROR');
  });

  it('are 200 at most', async () => {
    const full = await platform.newSpace();
    await platform.database.query(
      `insert into key.secrets (space_id, id, name, sealed) select $1, gen_random_uuid(), 'x' || n, '' from generate_series(1, 199) n`,
      [full.id],
    );
    expect((await create({ name: 'last' }, full.owner)).status).toBe(201);
    refused(await create({ name: 'one_more' }, full.owner), 409, 'CONFLICT');
    // Other tests seal everything anew, and these rows cannot be opened.
    await platform.database.query(`delete from key.secrets where space_id = $1 and sealed = ''`, [full.id]);
  });

  it('are sealed for their Space and id, and logged without a value', async () => {
    const key = { headers: { 'idempotency-key': 'sealed' } };
    const made = await owner.post('/secrets', { name: 'sealed', value: VALUE }, key);
    const again = await owner.post('/secrets', { name: 'sealed', value: VALUE }, key);
    expect(again.body).toEqual(made.body);
    refused(await owner.post('/secrets', { name: 'sealed', value: 'guess' }, key), 409, 'IDEMPOTENCY_CONFLICT');
    const { id } = made.body.data;
    await owner.delete(`/secrets/${id}`);
    const events = (await owner.get(`/spaces/${space.id}/security-events?limit=100`)).body.data as {
      action: string;
      target: string;
      details: object;
    }[];
    const own = events.filter(({ target }) => target === id);
    expect(own.map(({ action }) => action)).toEqual(['secret.deleted', 'secret.created']);
    expect(own[1]?.details).toEqual({ name: 'sealed', hosts: [] });
  });
});
