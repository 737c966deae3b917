import { type Client, until, usePlatform } from '@switchyard/testing';
import { HOST, McpHost } from './mcp-host';
import { AGENT, say } from './talk';

const platform = usePlatform();

const SECRET = 'Bearer very-secret';

describe('MCP servers of an agent', () => {
  let owner: Client;
  let host: McpHost;
  let url: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    host = await McpHost.start();
    url = host.url;
  });

  afterAll(() => {
    host.close();
  });

  const agent = async (mcpServers: object[]): Promise<string> => {
    const reply = await owner.post('/agents', { ...AGENT, mcpServers });
    expect(reply.status).toBe(201);
    const id = reply.body.data.id as string;
    // A server that was slow to tell its tools once is asked again only after a while.
    const away = async (): Promise<{ server: string }[]> =>
      (await owner.get(`/agents/${id}/mcp/tools`)).body.unavailable;
    await until(async () => (await away()).every(({ server }) => server === 'dead'), {
      timeoutMs: 60_000,
      everyMs: 500,
    });
    return id;
  };
  const chat = async (id: string, text: string, more: object = {}) =>
    (await owner.post(`/agents/${id}/chat`, { ...say(text), ...more, stream: false })).body.data;

  it('keep their headers to themselves', async () => {
    const headers = { Authorization: SECRET, 'X-Team': 'blue' };
    const id = await agent([{ name: 'calc', url, headers }]);
    const read = await owner.get(`/agents/${id}`);
    expect(JSON.stringify(read.body)).not.toContain('very-secret');
    expect(read.body.data.mcpServers).toEqual([{ name: 'calc', url, headerNames: ['Authorization', 'X-Team'] }]);
    expect(JSON.stringify((await owner.get(`/agents/${id}/versions`)).body)).not.toContain('very-secret');
    host.seen.length = 0;
    expect((await chat(id, '@@tool calc__add {"a": 2, "b": 3}\n@@reply sum {{tool}}')).answer).toContain('5');
    expect(host.seen).toContain(SECRET);
    await owner.put(`/agents/${id}`, { mcpServers: [{ name: 'calc', url, allowedTools: ['add'] }] });
    host.seen.length = 0;
    await chat(id, '@@tool calc__add {"a": 1, "b": 1}\n@@reply {{tool}}');
    expect(host.seen.every((value) => value === SECRET)).toBe(true);
  });

  it('list their tools, and name those that are away', async () => {
    const id = await agent([
      { name: 'calc', url, allowedTools: ['add'] },
      { name: 'dead', url: `http://${HOST}:1/mcp` },
    ]);
    const reply = await owner.get(`/agents/${id}/mcp/tools`);
    expect(reply.status).toBe(200);
    expect(reply.body.data.map((tool: { name: string; allowed: boolean }) => [tool.name, tool.allowed])).toEqual([
      ['add', true],
      ['launch', false],
      ['fail', false],
    ]);
    expect(reply.body.data[0]).toEqual({
      server: 'calc',
      name: 'add',
      description: 'adds',
      inputSchema: expect.objectContaining({ type: 'object' }),
      annotations: expect.objectContaining({ readOnlyHint: true }),
      allowed: true,
    });
    expect(Object.keys(reply.body as object).sort()).toEqual(['data', 'message', 'success', 'unavailable']);
    expect(reply.body.unavailable).toEqual([{ server: 'dead', reason: expect.any(String) }]);
    expect((await chat(id, '@@tool calc__add {"a": 20, "b": 3}\n@@reply sum {{tool}}')).answer).toContain('23');
    expect((await chat(id, '@@tool calc__launch {}\n@@reply {{tool}}')).answer).toContain('TOOL_NOT_FOUND');
    const none = await agent([]);
    expect((await owner.get(`/agents/${none}/mcp/tools`)).body).toMatchObject({ data: [], unavailable: [] });
  });

  it('are not acted upon when the user only asks', async () => {
    const id = await agent([{ name: 'calc', url }]);
    host.ran = 0;
    const asked = await chat(id, '@@tool calc__launch {}\n@@tool calc__add {"a": 1, "b": 2}\n@@reply {{tool}}', {
      settings: { chat_mode: 'ask' },
    });
    expect(host.ran).toBe(0);
    const statuses = Object.fromEntries(
      asked.tool_executions.map((row: { name: string; status: string }) => [row.name, row.status]),
    );
    expect(statuses).toEqual({ calc__launch: 'skipped', calc__add: 'succeeded' });
    await chat(id, '@@tool calc__launch {}\n@@reply {{tool}}');
    expect(host.ran).toBe(1);
  });

  it('tell the model when they fail', async () => {
    const id = await agent([{ name: 'calc', url }]);
    const reply = await chat(id, '@@tool calc__fail {}\n@@reply sorry: {{tool}}');
    expect(reply.answer).toContain('out of fuel');
    expect(reply.tool_executions[0]).toMatchObject({
      source: 'mcp',
      status: 'failed',
      error: { code: 'MCP_TOOL_FAILED' },
    });
  });
});
