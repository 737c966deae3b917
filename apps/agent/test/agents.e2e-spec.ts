import { randomUUID } from 'node:crypto';
import { fingerprint } from '@switchyard/kernel';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { AGENT, contentsOf } from './talk';

const platform = usePlatform();

describe('agents', () => {
  let space: TestSpace;
  let owner: Client;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  const made = async (body: object = {}, client = owner): Promise<{ id: string }> =>
    (await client.post('/agents', { ...AGENT, ...body })).body.data as { id: string };

  it('are created with defaults and read back', async () => {
    const created = await owner.post('/agents', AGENT);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ success: true, message: expect.any(String) });
    const agent = created.body.data;
    expect(agent).toEqual({
      id: expect.any(String),
      ...AGENT,
      description: null,
      agentType: 'CHAT',
      accessScope: 'SPACE',
      allowedUserIds: [],
      settings: {},
      promptVariables: [],
      tools: [],
      knowledge: [],
      mcpServers: [],
      localTools: [],
      responseSchema: null,
      maxSteps: null,
      fallbackModels: [],
      approvals: [],
      metadata: {},
      system: false,
      version: 1,
      createdBy: owner.identity.userId,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
    });
    expect((await owner.get(`/agents/${agent.id}`)).body.data).toEqual(agent);
    const other = await platform.newSpace();
    for (const reply of [
      await other.owner.get(`/agents/${agent.id}`),
      await other.owner.put(`/agents/${agent.id}`, { name: 'x' }),
      await other.owner.delete(`/agents/${agent.id}`),
    ]) {
      expect(reply.status).toBe(404);
    }
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ model: undefined }, 'model'],
    [{ systemPrompt: undefined }, 'systemPrompt'],
    [{ name: '' }, 'name'],
    [{ unknownField: 1 }, 'unknownField'],
    [{ agentType: 'OTHER' }, 'agentType'],
    [{ accessScope: 'PUBLIC' }, 'accessScope'],
    [{ tools: ['rm_rf'] }, 'tools[0]'],
    [{ settings: { temperature: 3 } }, 'settings.temperature'],
    [{ settings: { top_p: 1.5 } }, 'settings.top_p'],
    [{ allowedUserIds: ['nobody'] }, 'allowedUserIds[0]'],
    [{ allowedUserIds: [randomUUID()] }, 'allowedUserIds'],
    [{ maxSteps: 0 }, 'maxSteps'],
    [{ responseSchema: { type: 'nonsense' } }, 'responseSchema'],
    [{ mcpServers: [{ name: 'a', url: 'http://10.0.0.1/mcp' }] }, 'mcpServers[0].url'],
    [{ mcpServers: [{ name: 'a', url: 'http://169.254.169.254/mcp' }] }, 'mcpServers[0].url'],
    [{ localTools: [{ name: 'ask_user', description: '', parameters: {} }] }, 'localTools[0].name'],
    [{ promptVariables: [{ name: 'a' }, { name: 'a' }] }, 'promptVariables[1].name'],
  ])('refuse %j and name the field', async (change, path) => {
    const reply = await owner.post('/agents', { ...AGENT, ...change });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ success: false, code: 'VALIDATION_ERROR', details: [{ path }] });
  });

  it('know no datasets of other Spaces', async () => {
    expect((await owner.post('/agents', { ...AGENT, knowledge: [{ datasetId: randomUUID() }] })).status).toBe(404);
  });

  it('change by the given fields only, version by version', async () => {
    const agent = await made({ description: 'first', metadata: { a: 1 } });
    const changed = await owner.put(`/agents/${agent.id}`, { name: 'Second', metadata: { b: 2 } });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({
      name: 'Second',
      description: 'first',
      metadata: { b: 2 },
      systemPrompt: AGENT.systemPrompt,
      version: 2,
    });
    const stale = await owner.put(`/agents/${agent.id}`, { name: 'Third' }, { headers: { 'if-match': '"1"' } });
    expect(stale.status).toBe(412);
    expect(stale.body.code).toBe('PRECONDITION_FAILED');
    const fresh = await owner.put(`/agents/${agent.id}`, { description: null }, { headers: { 'if-match': '"2"' } });
    expect(fresh.body.data).toMatchObject({ description: null, version: 3 });
    const versions = await owner.get(`/agents/${agent.id}/versions?limit=2`);
    expect(versions.body.data.map((row: { version: number }) => row.version)).toEqual([3, 2]);
    const rest = await owner.get(`/agents/${agent.id}/versions?limit=2&cursor=${versions.body.page.nextCursor}`);
    expect(rest.body.data.map((row: { version: number }) => row.version)).toEqual([1]);
    expect(rest.body.page.nextCursor).toBeNull();
    const restored = await owner.post(`/agents/${agent.id}/versions/1/restore`, {});
    expect(restored.status).toBe(200);
    expect(restored.body.data).toMatchObject({
      name: AGENT.name,
      description: 'first',
      metadata: { a: 1 },
      version: 4,
    });
    expect((await owner.post(`/agents/${agent.id}/versions/99/restore`, {})).status).toBe(404);
    expect((await owner.post(`/agents/${agent.id}/versions/zero/restore`, {})).status).toBe(400);
  });

  it('are deleted, once', async () => {
    const agent = await made();
    const deleted = await owner.delete(`/agents/${agent.id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body.data).toEqual({ id: agent.id, deleted: true });
    expect((await owner.get(`/agents/${agent.id}`)).status).toBe(404);
    expect((await owner.delete(`/agents/${agent.id}`)).status).toBe(404);
    expect((await owner.get('/agents/not-an-id')).status).toBe(400);
  });

  it('are listed newest first, by page and by filter', async () => {
    const mine = await platform.newSpace();
    const names = ['Alpha one', 'Beta two', 'alpha three'];
    for (const name of names) await made({ name, agentType: name.startsWith('B') ? 'TASK' : 'CHAT' }, mine.owner);
    const first = await mine.owner.get('/agents?limit=2');
    expect(first.body.data.map((agent: { name: string }) => agent.name)).toEqual(['alpha three', 'Beta two']);
    expect(first.body.page.limit).toBe(2);
    const second = await mine.owner.get(`/agents?limit=2&cursor=${first.body.page.nextCursor}`);
    expect(second.body.data.map((agent: { name: string }) => agent.name)).toEqual(['Alpha one']);
    expect((await mine.owner.get('/agents?q=ALPHA')).body.data).toHaveLength(2);
    expect((await mine.owner.get('/agents?agentType=TASK')).body.data).toHaveLength(1);
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'cursor=zzz',
      'agentType=X',
      'accessibleOnly=yes',
      'other=1',
    ]) {
      expect((await mine.owner.get(`/agents?${query}`)).status).toBe(400);
    }
  });

  it('that are restricted are called by listed people only, and read by all', async () => {
    const [listed, outsider] = [await space.member('MEMBER'), await space.member('MEMBER')];
    const agent = await made({ accessScope: 'RESTRICTED', allowedUserIds: [listed.identity.userId] });
    const chat = (client: Client): Promise<{ status: number }> =>
      client.post(`/agents/${agent.id}/chat`, { ...contentsOf('x'), stream: false });
    expect((await chat(listed)).status).toBe(200);
    expect((await chat(outsider)).status).toBe(403);
    expect((await chat(owner)).status).toBe(403);
    expect((await outsider.post(`/agents/${agent.id}/execute`, {})).status).toBe(403);
    expect((await outsider.get(`/agents/${agent.id}/mcp/tools`)).status).toBe(403);
    expect((await outsider.post('/agents/sessions', { agentId: agent.id })).status).toBe(403);
    expect((await outsider.get(`/agents/${agent.id}`)).status).toBe(200);
    const accessible = async (client: Client): Promise<boolean> =>
      (await client.get('/agents?accessibleOnly=true&limit=100')).body.data.some(
        ({ id }: { id: string }) => id === agent.id,
      );
    expect(await accessible(listed)).toBe(true);
    expect(await accessible(outsider)).toBe(false);
    expect((await outsider.put(`/agents/${agent.id}`, { name: 'mine now' })).status).toBe(403);
    expect((await outsider.delete(`/agents/${agent.id}`)).status).toBe(403);
    const admin = await space.member('ADMIN');
    expect((await admin.put(`/agents/${agent.id}`, { accessScope: 'SPACE' })).status).toBe(200);
    expect((await chat(outsider)).status).toBe(200);
  });

  it('need the scopes and roles for what is done with them', async () => {
    const agent = await made();
    const reader = await space.key({ scopes: ['agents:read'] });
    const caller = await space.key({ scopes: ['agents:call'] });
    const viewer = await space.member('VIEWER');
    expect((await reader.get(`/agents/${agent.id}`)).status).toBe(200);
    expect((await reader.post('/agents', AGENT)).status).toBe(403);
    expect((await reader.post(`/agents/${agent.id}/chat`, { ...contentsOf('x'), stream: false })).status).toBe(403);
    expect((await caller.post(`/agents/${agent.id}/chat`, { ...contentsOf('x'), stream: false })).status).toBe(200);
    expect((await caller.get('/agents')).status).toBe(403);
    expect((await viewer.post('/agents', AGENT)).status).toBe(403);
    expect((await viewer.post(`/agents/${agent.id}/chat`, { ...contentsOf('x'), stream: false })).status).toBe(200);
  });

  it('that are built in can be called from every Space and changed from none', async () => {
    const list = await owner.get('/agents/system-agents');
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['assistant', 'summarizer', 'extractor']),
    );
    for (const agent of list.body.data) {
      expect(agent.system).toBe(true);
      expect((await owner.put(`/agents/${agent.id}`, { name: 'x' })).status).toBe(403);
      expect((await owner.delete(`/agents/${agent.id}`)).status).toBe(403);
    }
    const other = await platform.newSpace();
    const reply = await other.owner.post(`/agents/${list.body.data[0].id}/chat`, {
      ...contentsOf('hi'),
      stream: false,
    });
    expect(reply.body.data.status).toBe('COMPLETED');
  });

  it('are made once for one idempotency key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await owner.post('/agents', AGENT, { headers });
    const again = await owner.post('/agents', AGENT, { headers });
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = await owner.post('/agents', { ...AGENT, name: 'Other' }, { headers });
    expect(other.body.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('with secret headers store no digest that could be guessed, and answer a repeat of the request', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const mcpServers = [{ name: 'crm', url: 'https://mcp.example/', headers: { Authorization: 'Bearer 1234' } }];
    const body = { ...AGENT, mcpServers };
    const first = await owner.post('/agents', body, { headers });
    expect(first.status).toBe(201);
    const [stored] = await platform.database.query<{ fingerprint: string }>(
      'select fingerprint from agent.idempotency where space_id = $1 and key = $2',
      [space.id, headers['idempotency-key']],
    );
    expect(stored?.fingerprint).toMatch(/^[\w-]{43}$/);
    expect(stored?.fingerprint).not.toBe(fingerprint(body));
    const other = { ...body, mcpServers: [{ ...mcpServers[0], headers: { Authorization: 'Bearer 1235' } }] };
    expect((await owner.post('/agents', body, { headers })).body).toEqual(first.body);
    expect((await owner.post('/agents', other, { headers })).body.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('leave a trace when the rule changes who may call them', async () => {
    const space = await platform.newSpace();
    const member = await space.member();
    const id = (await space.owner.post('/agents', AGENT)).body.data.id;
    await space.owner.put(`/agents/${id}`, { description: 'no change of access' });
    const rule = { accessScope: 'RESTRICTED', allowedUserIds: [member.identity.userId] };
    const traces = (count: number) =>
      until(async () => {
        const { data } = (await space.owner.get(`/spaces/${space.id}/security-events?limit=100`)).body;
        const own = data.filter((event: { target: string }) => event.target === id);
        return own.length >= count ? own : null;
      });
    await space.owner.put(`/agents/${id}`, rule);
    await traces(1);
    await space.owner.post(`/agents/${id}/versions/1/restore`, {});
    await traces(2);
    const deletions = await Promise.all(Array.from({ length: 20 }, () => space.owner.delete(`/agents/${id}`)));
    expect(deletions.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
    const seen = await traces(3);
    expect(seen.map((event: { action: string; details: object }) => [event.action, event.details]).reverse()).toEqual([
      ['agent.access-changed', { from: 'SPACE', to: 'RESTRICTED', added: rule.allowedUserIds, removed: [] }],
      ['agent.access-changed', { from: 'RESTRICTED', to: 'SPACE', added: [], removed: rule.allowedUserIds }],
      ['agent.deleted', {}],
    ]);
    expect(seen[0].actorUserId).toBe(space.owner.identity.userId);
  });

  it('leave a trace of who was refused, once for many tries', async () => {
    const fresh = await platform.newSpace();
    const member = await fresh.member();
    const id = (await fresh.owner.post('/agents', { ...AGENT, accessScope: 'RESTRICTED', allowedUserIds: [] })).body
      .data.id;
    const refusals = await Promise.all(
      Array.from({ length: 5 }, () => member.post(`/agents/${id}/chat`, { ...contentsOf('x'), stream: false })),
    );
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const reader = await fresh.key({ scopes: ['agents:read'] });
    expect((await reader.delete(`/agents/${id}?really`)).status).toBe(403);
    const seen = await until(async () => {
      const { data } = (await fresh.owner.get(`/spaces/${fresh.id}/security-events?limit=100`)).body;
      const denied = data.filter((event: { action: string }) => event.action === 'access.denied');
      return denied.length >= 2 ? denied : null;
    });
    const targets = seen.map(({ target, actorUserId }: Record<string, string>) => [target, actorUserId]);
    expect(targets.sort()).toEqual([
      [`DELETE /api/agents/${id}`, fresh.owner.identity.userId],
      [`POST /api/agents/${id}/chat`, member.identity.userId],
    ]);
  });

  it('are changed by their maker, and not by others of the same role', async () => {
    const [maker, other, viewer] = await Promise.all([space.member(), space.member(), space.member('VIEWER')]);
    const agent = await made({}, maker);
    for (const client of [other, viewer]) {
      expect((await client.put(`/agents/${agent.id}`, { name: 'x' })).body.code).toBe('FORBIDDEN');
      expect((await client.post(`/agents/${agent.id}/versions/1/restore`, {})).status).toBe(403);
      expect((await client.delete(`/agents/${agent.id}`)).status).toBe(403);
    }
    const changed = await maker.put(`/agents/${agent.id}`, { accessScope: 'RESTRICTED', allowedUserIds: [] });
    expect(changed.body.data).toMatchObject({
      accessScope: 'RESTRICTED',
      version: 2,
      createdBy: maker.identity.userId,
    });
    // Its maker is not on the list: it may be read and changed, not called.
    expect((await maker.post(`/agents/${agent.id}/chat`, { ...contentsOf('x'), stream: false })).body.code).toBe(
      'FORBIDDEN',
    );
    const mine = await maker.get('/agents?accessibleOnly=true&limit=100');
    expect(mine.body.data.map(({ id }: { id: string }) => id)).not.toContain(agent.id);
    expect((await maker.get('/agents?limit=100')).body.data.map(({ id }: { id: string }) => id)).toContain(agent.id);
    expect((await maker.delete(`/agents/${agent.id}`)).status).toBe(200);
  });

  it('keep every version as it was, and refuse what is no version', async () => {
    const agent = await made({ tools: ['ask_user'] });
    const member = await space.member();
    await owner.put(`/agents/${agent.id}`, {});
    const { body } = await member.get(`/agents/${agent.id}/versions`);
    expect(body.data.map((row: object) => Object.keys(row).sort())).toEqual(
      body.data.map(() => ['agent', 'agentId', 'changedBy', 'createdAt', 'version']),
    );
    expect(body.data[1]).toMatchObject({
      agentId: agent.id,
      version: 1,
      changedBy: owner.identity.userId,
      agent: { id: agent.id, version: 1, tools: ['ask_user'] },
    });
    for (const stale of ['"1"', '"99"', 'nonsense'])
      expect(await owner.put(`/agents/${agent.id}`, { name: 'x' }, { headers: { 'if-match': stale } })).toMatchObject({
        status: 412,
        body: { success: false, code: 'PRECONDITION_FAILED' },
      });
    for (const change of [{ version: 2 }, { id: agent.id }, { createdBy: null }, { system: true }, { tools: null }])
      expect((await owner.put(`/agents/${agent.id}`, change)).status).toBe(400);
    expect((await owner.get(`/agents/${agent.id}`)).body.data.version).toBe(2);
    const races = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        owner.put(`/agents/${agent.id}`, { name: `n${n}` }, { headers: { 'if-match': '"2"' } }),
      ),
    );
    expect(races.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
  });

  it('that are built in are read like others, under ids that are the same everywhere', async () => {
    const other = (await platform.newSpace()).owner;
    const ids = async (client: Client): Promise<string[]> =>
      (await client.get('/agents/system-agents')).body.data.map(({ id }: { id: string }) => id);
    expect(await ids(other)).toEqual(await ids(owner));
    const first = (await other.get('/agents/system-agents?limit=2')).body;
    expect([first.data.length, first.page.limit]).toEqual([2, 2]);
    const rest = (await other.get(`/agents/system-agents?limit=2&cursor=${first.page.nextCursor}`)).body;
    expect([...first.data, ...rest.data].map(({ id }: { id: string }) => id)).toEqual(await ids(owner));
    expect(rest.page.nextCursor).toBeNull();
    for (const id of await ids(other)) {
      expect((await other.get(`/agents/${id}`)).body.data).toMatchObject({ id, system: true, createdBy: null });
      expect((await other.get(`/agents/${id}/versions`)).body.data).toHaveLength(1);
      expect((await other.post(`/agents/${id}/versions/1/restore`, {})).body.code).toBe('FORBIDDEN');
      expect((await other.get(`/agents/${id}/mcp/tools`)).body).toMatchObject({ data: [], unavailable: [] });
      expect((await other.post(`/agents/${id}/execute`, { inputs: { query: '@@reply {}' } })).body.answer).toBe('{}');
    }
    expect((await other.get('/agents')).body.data).toEqual([]);
  });

  it('fill their prompts from the defaults in a chat, and never evaluate what they fill in', async () => {
    const promptVariables = [
      { name: 'tone', default: 'one two three four' },
      { name: 'who', required: true },
    ];
    const agent = await made({ systemPrompt: 'Speak {{tone}} {{ who }} {{undeclared}}', promptVariables });
    // The simulator counts words: they tell what it was sent.
    const plain = await made({ systemPrompt: 'Speak' });
    const words = async (id: string, path: string, body: object): Promise<number> =>
      (({ data, token_usage }) => (data?.token_usage ?? token_usage).prompt_tokens)(
        (await owner.post(`/agents/${id}/${path}`, { ...body, stream: false })).body,
      );
    const base = await words(plain.id, 'chat', contentsOf('x'));
    expect((await words(agent.id, 'chat', contentsOf('x'))) - base).toBe(5);
    const execute = (inputs: object): Promise<number> =>
      words(agent.id, 'execute', { inputs: { query: 'x', ...inputs } });
    expect((await execute({ who: 'ann' })) - base).toBe(6);
    expect((await execute({ who: '{{tone}}', tone: '${7*7}' })) - base).toBe(3);
    expect((await execute({ who: { a: 1 }, tone: 'a b' })) - base).toBe(4);
    const missing = await owner.post(`/agents/${agent.id}/execute`, { inputs: { query: 'x', who: null } });
    expect([missing.status, missing.body.details[0].path]).toEqual([400, 'inputs.who']);
  });
});
