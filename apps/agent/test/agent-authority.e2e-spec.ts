import { type Client, type Reply, type TestSpace, usePlatform } from '@switchyard/testing';
import { AGENT, contentsOf } from './talk';

const platform = usePlatform();

describe('an agent with tools', () => {
  let space: TestSpace;
  let owner: Client;
  let datasetId: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    const fields = [{ name: 'title', type: 'string', vector: true }];
    datasetId = (await owner.post('/datasets', { name: 'goods', schema: { fields } })).body.data.id;
    await owner.post(`/datasets/${datasetId}/data/insert`, { records: [{ title: 'secret recipe' }] });
  });

  const run = (client: Client, id: string, tool: string, args: object): Promise<Reply> =>
    client.post(`/agents/${id}/chat`, {
      ...contentsOf(`@@tool ${tool} ${JSON.stringify(args)}\n@@reply got {{tool}}`),
      stream: false,
    });

  it.each([
    [{ tools: ['query_dataset'] }, ['datasets:read']],
    [{ tools: ['search_datasets', 'ask_user'] }, ['datasets:read']],
    [{ tools: ['write_dataset', 'run_task'] }, ['datasets:write', 'tasks:execute']],
    [{ tools: ['ask_user', 'save_memory'] }, []],
  ])('needs the scopes of %j from the key that creates it', async (body, scopes) => {
    const narrow = await space.key({ scopes: ['agents:write', 'agents:call'] });
    const refused = await narrow.post('/agents', { ...AGENT, ...body });
    expect(refused.status).toBe(scopes.length === 0 ? 201 : 403);
    for (const scope of scopes) expect(refused.body.message).toContain(scope);
    const wide = await space.key({ scopes: ['agents:write', ...scopes] });
    expect((await wide.post('/agents', { ...AGENT, ...body })).status).toBe(201);
  });

  it('that searches knowledge needs datasets:read, and one that emits the scope or the role ADMIN', async () => {
    const narrow = await space.key({ scopes: ['agents:write'] });
    const refused = await narrow.post('/agents', { ...AGENT, knowledge: [{ datasetId }] });
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(refused.body.message).toContain('datasets:read');
    const emitting = { ...AGENT, tools: ['emit_event'] };
    expect((await narrow.post('/agents', emitting)).status).toBe(201);
    const member = await space.member();
    expect((await (await space.key({ scopes: ['agents:write'] }, member)).post('/agents', emitting)).status).toBe(403);
    const emitter = await space.key({ scopes: ['agents:write', 'events:emit'] }, member);
    expect((await emitter.post('/agents', emitting)).status).toBe(201);
  });

  it('cannot be changed or restored by a key without the scopes that its tools use', async () => {
    const narrow = await space.key({ scopes: ['agents:write'] });
    const plain = (await narrow.post('/agents', AGENT)).body.data;
    expect((await narrow.put(`/agents/${plain.id}`, { tools: ['query_dataset'] })).status).toBe(403);
    expect((await owner.put(`/agents/${plain.id}`, { tools: ['query_dataset'] })).status).toBe(200);
    // The prompt decides what the tools do, so that any change counts.
    expect((await narrow.put(`/agents/${plain.id}`, { systemPrompt: 'Read everything.' })).status).toBe(403);
    expect((await narrow.put(`/agents/${plain.id}`, { tools: [] })).status).toBe(200);
    expect((await narrow.post(`/agents/${plain.id}/versions/2/restore`, {})).status).toBe(403);
    expect((await narrow.get(`/agents/${plain.id}`)).body.data).toMatchObject({ tools: [], version: 3 });
    expect((await narrow.post(`/agents/${plain.id}/versions/1/restore`, {})).status).toBe(200);
  });

  it('is restored only by those who may save it with the secrets of that version', async () => {
    const secret = (await owner.post('/secrets', { name: 'RESTORED', value: 'x' })).body.data;
    const headers = { Authorization: 'Bearer {{ secrets.RESTORED }}' };
    const mcpServers = [{ name: 'calc', url: 'https://calc.example/mcp', headers }];
    const { id } = (await owner.post('/agents', { ...AGENT, mcpServers })).body.data;
    expect((await owner.put(`/agents/${id}`, { mcpServers: [] })).status).toBe(200);
    const restore = (client: Client): Promise<Reply> => client.post(`/agents/${id}/versions/1/restore`, {});
    const refused = await restore(await space.key({ scopes: ['agents:write'] }));
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(refused.body.message).toContain('secrets:read');
    expect((await owner.get(`/agents/${id}`)).body.data).toMatchObject({ mcpServers: [], version: 2 });
    const reader = await space.key({ scopes: ['agents:write', 'secrets:read'] });
    const restored = await restore(reader);
    expect(restored.status).toBe(200);
    const [server] = restored.body.data.mcpServers;
    expect(server).toMatchObject({ headerNames: ['Authorization'], secretNames: ['RESTORED'] });
    expect((await owner.delete(`/secrets/${secret.id}?force=true`)).status).toBe(200);
    const reply = await restore(reader);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'mcpServers' }] });
  });

  it('is not restored to knowledge that was deleted', async () => {
    const fields = [{ name: 'title', type: 'string', vector: true }];
    const other = (await owner.post('/datasets', { name: 'brief', schema: { fields } })).body.data;
    const { id } = (await owner.post('/agents', { ...AGENT, knowledge: [{ datasetId: other.id }] })).body.data;
    expect((await owner.put(`/agents/${id}`, { knowledge: [] })).status).toBe(200);
    expect((await owner.delete(`/datasets/${other.id}`)).status).toBe(200);
    expect((await owner.post(`/agents/${id}/versions/1/restore`, {})).status).toBe(404);
    expect((await owner.get(`/agents/${id}`)).body.data).toMatchObject({ knowledge: [], version: 2 });
  });

  it('is called with agents:call alone', async () => {
    const { id } = (await owner.post('/agents', { ...AGENT, tools: ['query_dataset', 'write_dataset'] })).body.data;
    const caller = await space.key({ scopes: ['agents:call'] });
    expect((await run(caller, id, 'query_dataset', { datasetId })).body.data.answer).toContain('secret recipe');
    const write = { datasetId, operation: 'insert', records: [{ title: 'tea' }] };
    const written = (await run(caller, id, 'write_dataset', write)).body.data;
    expect(written.tool_executions[0]).toMatchObject({ status: 'succeeded', result: { inserted: 1 } });
  });
});
