import type { Client as McpClient } from '@modelcontextprotocol/client';
import { newId } from '@switchyard/kernel';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { callTool, connectMcp } from './support/mcp-client';

const platform = usePlatform();
let space: TestSpace;
let agentId: string;
let foreignId: string;

beforeAll(async () => {
  const other = await platform.newSpace();
  space = await platform.newSpace();
  const agent = { name: 'A', model: 'sim-chat', systemPrompt: 'x' };
  agentId = ((await space.owner.post('/agents', agent)).body.data as { id: string }).id;
  const dataset = { name: 'Theirs', schema: { fields: [{ name: 'a', type: 'string' }] } };
  foreignId = ((await other.owner.post('/datasets', dataset)).body.data as { id: string }).id;
});

const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
const invalid = { code: -32_602, message: expect.stringMatching(/VALIDATION_ERROR: .{1,150}$/) as string };

describe.each(['auto', 'legacy'] as const)('a client of the %s era', (era) => {
  let mcp: McpClient;

  beforeAll(async () => {
    mcp = await connectMcp(space.owner, era);
  });
  afterAll(() => mcp.close());

  test.each([
    ['text', { text: 'a\u0000' }],
    ['text', { text: '\ud800' }],
    ['inputs', { inputs: JSON.parse('{"__proto__": 1}') as object }],
    ['inputs', { inputs: nested(70) }],
  ])('is told by the tool that its %s hurts: %j', async (field, args) => {
    expect(await callTool(mcp, 'call_agent', { agentId, ...args })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(new RegExp(`^VALIDATION_ERROR: ${field}`)) as string }],
    });
  });

  test('is told so of everything that is not a tool', async () => {
    await expect(mcp.readResource({ uri: 'dataset://\u0000/schema' })).rejects.toMatchObject(invalid);
    await expect(mcp.getPrompt({ name: `agent-${agentId}`, arguments: { a: '\u0000' } })).rejects.toMatchObject(
      invalid,
    );
  });

  test('is told that a record is more than MCP returns', async () => {
    const message = { stream: false, contents: [{ type: 'text', text: 'To grow.' }] };
    const { session_id: sessionId } = (await space.owner.post(`/agents/${agentId}/chat`, message)).body.data;
    await platform.database.query(
      `update session.messages set content = replace(json_build_array(content->0, content->0, content->0)::text, 'To grow.', repeat('x', 900000))::json
        where session_id = $1`,
      [sessionId],
    );
    await expect(mcp.readResource({ uri: `session://${sessionId}/transcript` })).rejects.toThrow(/more than 2 MiB/);
    expect(await callTool(mcp, 'get_session_messages', { sessionId })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^PAYLOAD_TOO_LARGE: .*more than 2 MiB/) as string }],
    });
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'is told of a tool called %s what it is told of every unknown one',
    async (name) => {
      await expect(callTool(mcp, name, {})).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringMatching(new RegExp(`Tool ${name} not found$`)) as string,
      });
      await expect(callTool(mcp, 'nothing', {})).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringMatching(/Tool nothing not found$/) as string,
      });
    },
  );

  test('finds no resource that does not exist, or is not its own', async () => {
    for (const uri of [
      `dataset://${newId()}/schema`,
      `dataset://${foreignId}/schema`,
      `session://${newId()}/transcript`,
      'dataset://nothing/schema',
      'unknown://thing',
    ])
      await expect(mcp.readResource({ uri })).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringMatching(/NOT_FOUND: .{1,100}$/) as string,
        data: { uri },
      });
  });

  test('is told what is wrong with its params, in one line that begins with the code', async () => {
    await expect(mcp.readResource({ uri: 'no uri' })).rejects.toMatchObject(invalid);
    await expect(mcp.readResource({ uri: 5 as unknown as string })).rejects.toMatchObject(invalid);
    await expect(mcp.request({ method: 'resources/list', params: { cursor: 'junk!' } })).rejects.toMatchObject(invalid);
    await expect(mcp.request({ method: 'prompts/list', params: { cursor: 'junk!' } })).rejects.toMatchObject(invalid);
    for (const args of [{ colour: 'red' }, { colour: 5 as unknown as string }])
      await expect(mcp.getPrompt({ name: `agent-${agentId}`, arguments: args })).rejects.toMatchObject(invalid);
    for (const name of ['agent_prompt', 'agent-x', 'agent-', `agent-${foreignId}`])
      await expect(mcp.getPrompt({ name })).rejects.toMatchObject({ code: -32_602 });
    await expect(mcp.getPrompt({ name: `agent-${newId()}` })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('NOT_FOUND: ') as string,
    });
  });

  test('is told which scope its key lacks', async () => {
    const bare = await connectMcp(await space.key({ scopes: ['mcp:call'] }), era);
    const forbidden = { code: -32_602, message: expect.stringContaining('FORBIDDEN: ') as string };
    await expect(bare.readResource({ uri: `dataset://${newId()}/schema` })).rejects.toMatchObject(forbidden);
    await expect(bare.getPrompt({ name: `agent-${agentId}` })).rejects.toMatchObject(forbidden);
    await bare.close();
  });
});

interface AnyAnswer {
  id: unknown;
  result: { tools: object[] };
}

describe('a message at /mcp', () => {
  const headers = { accept: 'application/json, text/event-stream' };
  const send = (body: unknown, more: Record<string, string> = {}): ReturnType<typeof space.owner.raw> =>
    space.owner.raw('POST', '/mcp', body, { headers: { ...headers, ...more } });

  test('is answered under its id of any type', async () => {
    const id = 'a\u0000';
    const call = await send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'whoami', arguments: {} } });
    expect(call.status).toBe(200);
    const text = typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
    const answer = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as object;
    expect(answer).toMatchObject({
      id,
      result: { isError: true, content: [{ text: expect.stringMatching(/^VALIDATION_ERROR: id/) as string }] },
    });
    const list = await send({ jsonrpc: '2.0', id, method: 'tools/list' });
    expect([list.status, list.body]).toMatchObject([200, { id, error: { code: -32_602 } }]);
  });

  const modern = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const listing = (id: unknown): object => ({ jsonrpc: '2.0', id, method: 'tools/list' });

  test.each([
    ['auto', { params: { _meta: modern } }, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }],
    ['legacy', {}, { 'mcp-protocol-version': '2025-11-25' }],
  ])('that lists the tools is answered alike each time, under its id, in the %s era', async (_, more, ofEra) => {
    const answers: unknown[] = [];
    for (const id of [1, 2, 'third', '"tools":[]']) {
      const { status, headers: answered, body } = await send({ ...listing(id), ...more }, ofEra);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const { id: same, ...answer } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as AnyAnswer;
      expect(same).toBe(id);
      expect(answer.result.tools.length).toBeGreaterThan(20);
      const { 'content-type': type, 'cache-control': cache, 'x-content-type-options': sniff } = answered;
      answers.push({ status, type, cache, sniff, answer });
    }
    const [first, ...others] = answers;
    for (const other of others) expect(other).toEqual(first);
  });

  test('that lists the tools in the session of another client is refused, however often they were listed', async () => {
    const introduction = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'a', version: '1' },
    };
    const made = await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: introduction });
    const session = { 'mcp-session-id': String(made.headers['mcp-session-id']) };
    for (const id of [1, 2, 3]) expect((await send(listing(id), session)).status).toBe(200);
    const other = (await platform.newSpace()).owner;
    const { status } = await other.raw('POST', '/mcp', listing(4), { headers: { ...headers, ...session } });
    expect(status).toBe(404);
    const bare = await space.key({ scopes: ['agents:read'] });
    expect((await bare.raw('POST', '/mcp', listing(5), { headers })).status).toBe(403);
  });

  test.each([
    undefined,
    5,
    { protocolVersion: '2025-11-25', capabilities: null, clientInfo: { name: 'a', version: '1' } },
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: 'me' },
  ])('that introduces itself with %j is told what is wrong', async (params) => {
    const { status, body } = await send({ jsonrpc: '2.0', id: 7, method: 'initialize', params });
    expect([status, body]).toMatchObject([200, { id: 7, error: invalid }]);
    expect((await send({ jsonrpc: '2.0', method: 'initialize', params })).status).toBeLessThan(500);
  });

  test('without an id that hurts is refused whole', async () => {
    const { status, body } = await send({ jsonrpc: '2.0', method: 'notifications/x', params: { a: '\u0000' } });
    expect([status, body]).toMatchObject([400, { id: null, error: { code: -32_600 } }]);
  });

  test('is 415 when it does not say that it is JSON, and a parse error when it is not', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect(await send(ping, { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
      body: { success: false, code: 'UNSUPPORTED_MEDIA_TYPE' },
    });
    const reply = await fetch(`${platform.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', authorization: space.owner.authorization ?? '' },
      body: '{"jsonrpc": ',
    });
    expect([reply.status, await reply.json()]).toMatchObject([400, { id: null, error: { code: -32_700 } }]);
  });
});

test('a batch is refused: each of its messages would be a request to the limits of its caller', async () => {
  const call = (id: number): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'list_agents' } });
  const headers = { accept: 'application/json, text/event-stream' };
  for (const batch of [[], [call(1)], [call(1), call(2)]]) {
    const { status, body } = await space.owner.raw('POST', '/mcp', batch, { headers });
    expect([status, body.error?.code, body.error?.message]).toEqual([400, -32_600, expect.stringContaining('batch')]);
  }
});
