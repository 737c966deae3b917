import { type Client, until, usePlatform } from '@switchyard/testing';
import { HOST, McpHost } from './mcp-host';
import { AGENT, STREAM, framesOf, contentsOf } from './talk';

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
    const unavailable = async (): Promise<{ server: string }[]> =>
      (await owner.get(`/agents/${id}/mcp/tools`)).body.unavailable;
    await until(async () => (await unavailable()).every(({ server }) => server === 'dead'), {
      timeoutMs: 60_000,
      everyMs: 500,
    });
    return id;
  };
  const chat = async (id: string, text: string, more: object = {}) =>
    (await owner.post(`/agents/${id}/chat`, { ...contentsOf(text), ...more, stream: false })).body.data;

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
    const answer = await chat(id, '@@tool calc__launch {}\n@@tool calc__add {"a": 1, "b": 2}\n@@reply {{tool}}', {
      settings: { chat_mode: 'ask' },
    });
    expect(host.ran).toBe(0);
    const statuses = Object.fromEntries(
      answer.tool_executions.map((row: { name: string; status: string }) => [row.name, row.status]),
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

  it('are refused with names that leave open where the server ends', async () => {
    for (const [server, path] of [
      [{ name: 'a__b', url }, 'mcpServers[0].name'],
      [{ name: 'a_', url }, 'mcpServers[0].name'],
      [{ name: 'a', url, allowedTools: ['b__c'] }, 'mcpServers[0].allowedTools[0]'],
    ] as const) {
      const reply = await owner.post('/agents', { ...AGENT, mcpServers: [server] });
      expect([reply.status, reply.body.code, reply.body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
    }
  });

  it('of before that make a tool ambiguous have it named as not available', async () => {
    const id = await agent([
      { name: 'a', url },
      { name: 'b', url },
    ]);
    await platform.database.query(
      `update agent.agents set body = jsonb_set(body::jsonb, '{mcpServers,1,name}', '"a__b"') where id = $1`,
      [id],
    );
    // Unchanged fields are accepted.
    expect((await owner.put(`/agents/${id}`, { description: 'changed' })).status).toBe(200);
    const { data, unavailable } = (await owner.get(`/agents/${id}/mcp/tools`)).body;
    expect(data.every(({ server }: { server: string }) => server === 'a')).toBe(true);
    expect(unavailable).toContainEqual({ server: 'a__b', tool: 'add', reason: expect.stringContaining('server a ') });
    expect((await chat(id, '@@tool a__b__add {"a": 2, "b": 3}\n@@reply {{tool}}')).answer).toContain('TOOL_NOT_FOUND');
    expect((await chat(id, '@@tool a__add {"a": 2, "b": 3}\n@@reply {{tool}}')).answer).toContain('5');
  });

  it('are asked again what an approved tool is, and one that has changed is not called', async () => {
    const made = await owner.post('/agents', {
      ...AGENT,
      mcpServers: [{ name: 'calc', url }],
      approvals: [{ tool: 'calc__*' }],
    });
    const id = made.body.data.id as string;
    const approved = async (text: string, meanwhile: () => void): Promise<string> => {
      const turn = await chat(id, text);
      expect(turn.status).toBe('WAITING_INPUT');
      meanwhile();
      const body = {
        sessionId: turn.session_id,
        interactionId: turn.interaction.id,
        selectedOptionIds: ['approve'],
        otherText: null,
      };
      const stream = await owner.stream(`/agents/${id}/turns/${turn.turn_id}/resume`, body, { headers: STREAM });
      return framesOf(await stream.all()).text;
    };
    const call = '@@tool calc__add {"a": 2, "b": 3}\n@@reply {{tool}}';
    expect(await approved(call, () => undefined)).toContain('5');
    const before = host.description;
    try {
      const reply = await approved(call, () => {
        host.description = 'sends mail';
      });
      expect(reply).toContain('TOOL_CHANGED');
    } finally {
      host.description = before;
    }
  });
});
