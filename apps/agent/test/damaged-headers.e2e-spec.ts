import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { McpHost } from './mcp-host';
import { AGENT, contentsOf } from './talk';

const platform = usePlatform();
const HEADERS = { Authorization: 'Bearer first' };
const PROBLEM = 'The headers of the MCP server calc cannot be decrypted.';
const ADD = '@@tool calc__add {"a": 2, "b": 3}\n@@reply sum {{tool}}';

let space: TestSpace;
let owner: Client;
let host: McpHost;
let id: string;

const answerTo = async (text: string): Promise<string> => {
  const reply = await owner.post(`/agents/${id}/chat`, { ...contentsOf(text), stream: false });
  expect(reply.status).toBe(200);
  return reply.body.data.answer as string;
};

describe('an agent whose headers of an MCP server cannot be decrypted', () => {
  beforeAll(async () => {
    host = await McpHost.start();
    space = await platform.newSpace();
    owner = space.owner;
    const body = { ...AGENT, mcpServers: [{ name: 'calc', url: host.url, headers: HEADERS }] };
    const made = await owner.post('/agents', body);
    expect(made.status).toBe(201);
    id = made.body.data.id as string;
    for (const [table, column] of [
      ['agents', 'id'],
      ['agent_versions', 'agent_id'],
    ])
      await platform.database.query(
        `update agent.${table} set secrets = jsonb_build_object('calc', 'v2.AAAAAAAA') where ${column} = $1`,
        [id],
      );
    // A change drops the agent of before from all caches.
    expect((await owner.put(`/agents/${id}`, { name: 'Renamed' })).status).toBe(200);
  });
  afterAll(() => {
    host.close();
  });

  it('is listed, shown and changed', async () => {
    const listed = (await owner.get('/agents')).body.data as { id: string }[];
    expect(listed.map((agent) => agent.id)).toContain(id);
    expect((await owner.get(`/agents/${id}`)).body.data.mcpServers).toMatchObject([{ name: 'calc' }]);
    expect((await owner.get(`/agents/${id}/versions/1`)).status).toBe(200);
    expect((await owner.put(`/agents/${id}`, { description: 'Still here' })).status).toBe(200);
  });

  it('answers without the server, which is listed as unavailable with the reason', async () => {
    host.seen.length = 0;
    const reply = await owner.get(`/agents/${id}/mcp/tools`);
    const unavailable = [{ server: 'calc', reason: expect.stringContaining(PROBLEM) }];
    expect([reply.body.data, reply.body.unavailable]).toEqual([[], unavailable]);
    expect(await answerTo('@@reply still here')).toContain('still here');
    expect(host.seen).toEqual([]);
  });

  it('is not restored to a version with such headers', async () => {
    expect(await owner.post(`/agents/${id}/versions/1/restore`)).toMatchObject({
      status: 409,
      body: { code: 'SECRET_UNREADABLE', message: expect.stringContaining(PROBLEM) },
    });
  });

  it('calls the server again once the headers are saved', async () => {
    const mcpServers = [{ name: 'calc', url: host.url, headers: { Authorization: 'Bearer second' } }];
    expect((await owner.put(`/agents/${id}`, { mcpServers })).status).toBe(200);
    expect(await answerTo(ADD)).toContain('5');
    expect(new Set(host.seen)).toEqual(new Set(['Bearer second']));
  });
});
