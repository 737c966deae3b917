import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { type GatewayProcess, startGateway } from './conformance/everything-process';

const platform = usePlatform();
let space: TestSpace;
let agentId: string;
let replica: GatewayProcess | undefined;

beforeAll(async () => {
  space = await platform.newSpace();
  const agent = await space.owner.post('/agents', {
    name: 'Asker',
    model: 'sim-chat',
    systemPrompt: 'Ask.',
    tools: ['ask_user'],
  });
  agentId = agent.body.data.id;
});

afterAll(() => replica?.stop());

type Era = 'auto' | 'legacy';
interface Form {
  message: string;
  requestedSchema: { properties: Record<string, object>; required?: string[] };
}
type ElicitationReply =
  | { action: 'accept'; content: Record<string, string | string[]> }
  | { action: 'decline' | 'cancel' };

interface Person {
  mcp: McpClient;
  request: Form[];
}

/** A client whose person answers the forms that it is shown, one after the other. */
async function connect(
  era: Era,
  replies: ElicitationReply[],
  post: typeof fetch = fetch,
  as: Client = space.owner,
): Promise<Person> {
  const request: Form[] = [];
  const mcp = new McpClient(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era }, capabilities: { elicitation: { form: {} } } },
  );
  mcp.setRequestHandler('elicitation/create', ({ params }) => {
    request.push(params as unknown as Form);
    return replies[request.length - 1] ?? { action: 'cancel' };
  });
  const transport = new StreamableHTTPClientTransport(new URL(`${platform.url}/mcp`), {
    requestInit: { headers: { authorization: as.authorization ?? '' } },
    fetch: post,
  });
  await mcp.connect(transport);
  return { mcp, request };
}

const question = (more: object = {}): string =>
  JSON.stringify({
    kind: 'single_choice',
    prompt: 'Which?',
    options: [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ],
    ...more,
  });

interface Result {
  isError?: boolean;
  content: { text?: string }[];
  structuredContent?: {
    status: string;
    answer: string;
    turn_id: string;
    session_id: string;
    interaction: { id: string };
  };
}

const callAgent = async ({ mcp }: Person, ...lines: string[]): Promise<Result> =>
  (await mcp.callTool({ name: 'call_agent', arguments: { agentId, text: lines.join('\n') } })) as unknown as Result;

describe.each(['auto', 'legacy'] as const)('a client of the %s era that shows forms', (era) => {
  test('is asked in the middle of the call, and gets the end of the turn', async () => {
    const person = await connect(era, [{ action: 'accept', content: { choice: 'b' } }]);
    const result = await callAgent(person, `@@tool ask_user ${question()}`, '@@reply Chosen: {{tool}}');
    expect(result.structuredContent).toMatchObject({ status: 'COMPLETED', answer: expect.stringContaining('"b"') });
    expect(person.request).toEqual([
      expect.objectContaining({
        message: 'Which?',
        requestedSchema: expect.objectContaining({
          required: ['choice'],
          properties: {
            choice: expect.objectContaining({
              oneOf: [
                { const: 'a', title: 'A' },
                { const: 'b', title: 'B' },
              ],
            }),
          },
        }),
      }),
    ]);
    await person.mcp.close();
  });

  test('is asked as often as the agent asks', async () => {
    const several = question({ kind: 'multiple_choice', prompt: 'And?', minSelections: 1, allowOther: true });
    const person = await connect(era, [
      { action: 'accept', content: { choice: 'a' } },
      { action: 'accept', content: { choice: ['a', 'b'], other: 'more' } },
    ]);
    const result = await callAgent(
      person,
      `@@tool ask_user ${question()}`,
      '@@reply So.',
      `@@tool ask_user ${several}`,
      '@@reply {{tool}}',
    );
    expect(person.request.map(({ message }) => message)).toEqual(['Which?', 'And?']);
    expect(result.structuredContent?.status).toBe('COMPLETED');
    expect(result.structuredContent?.answer).toContain('more');
    await person.mcp.close();
  });

  test.each(['decline', 'cancel'] as const)('that answers with %s leaves the question open', async (action) => {
    const person = await connect(era, [{ action }]);
    const result = await callAgent(person, `@@tool ask_user ${question()}`, '@@reply Done.');
    const waiting = result.structuredContent;
    expect(waiting).toMatchObject({ status: 'WAITING_INPUT', interaction: { prompt: 'Which?' } });
    const later = await person.mcp.callTool({
      name: 'answer_interaction',
      arguments: {
        agentId,
        turnId: waiting?.turn_id,
        sessionId: waiting?.session_id,
        interactionId: waiting?.interaction.id,
        selectedOptionIds: ['a'],
      },
    });
    expect(later.structuredContent).toMatchObject({ status: 'COMPLETED', answer: 'Done.' });
    await person.mcp.close();
  });

  test('that answers what cannot be chosen is told so', async () => {
    const person = await connect(era, [{ action: 'accept', content: { choice: 'z' } }]);
    const result = await callAgent(person, `@@tool ask_user ${question()}`);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^VALIDATION_ERROR: /) }] });
    await person.mcp.close();
  });
});

describe('a client of the era of initialize', () => {
  test('may answer at another replica than the one that asks, and other users may not', async () => {
    replica = await startGateway(platform.state, 'src/main.js');
    const otherUrl = `${replica.url}/mcp`;
    const stranger = (await platform.newSpace()).owner;
    const statuses: number[] = [];
    const inOtherSpace: typeof fetch = async (input, init) => {
      const body = typeof init?.body === 'string' ? init.body : '';
      if (!body.includes('"action":"accept"')) return fetch(input, init);
      const { id } = JSON.parse(body) as { id: string };
      const forged = { jsonrpc: '2.0', id, result: { action: 'accept', content: { choice: 'a' } } };
      const theirs = await stranger.raw('POST', '/mcp', INITIALIZE, { headers: ACCEPT });
      const session = { 'mcp-session-id': theirs.headers['mcp-session-id'] ?? '' };
      statuses.push((await stranger.raw('POST', '/mcp', forged, { headers: { ...ACCEPT, ...session } })).status);
      return fetch(otherUrl, init);
    };
    const person = await connect('legacy', [{ action: 'accept', content: { choice: 'b' } }], inOtherSpace);
    const result = await callAgent(person, `@@tool ask_user ${question()}`, '@@reply {{tool}}');
    expect(statuses).toEqual([202]);
    expect(result.structuredContent).toMatchObject({ status: 'COMPLETED', answer: expect.stringContaining('"b"') });
    await person.mcp.close();
  });

  test('gets a session id for its credential alone, and only where there is something to remember', async () => {
    const opened = await space.owner.raw('POST', '/mcp', INITIALIZE, { headers: ACCEPT });
    const sessionId = opened.headers['mcp-session-id'] ?? '';
    expect(sessionId).toMatch(/^[\x21-\x7e]+$/);
    const headers = { ...ACCEPT, 'mcp-session-id': sessionId };
    expect((await space.owner.raw('POST', '/mcp', PING, { headers })).status).toBe(200);
    const other = await space.member('MEMBER');
    for (const method of ['POST', 'GET', 'DELETE']) {
      const refused = await other.raw(method, '/mcp', method === 'POST' ? PING : undefined, { headers });
      expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await space.owner.raw('DELETE', '/mcp', undefined, { headers })).status).toBe(405);
    const silent = { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: {} } };
    expect(
      (await space.owner.raw('POST', '/mcp', silent, { headers: ACCEPT })).headers['mcp-session-id'],
    ).toBeUndefined();
  });
});

test('a client of 2026-07-28 cannot go on with the question of somebody else', async () => {
  const request = await modernCall(space.owner, { text: `@@tool ask_user ${question()}\n@@reply Done.` });
  expect(request.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { choice: { method: 'elicitation/create' } },
  });
  const inputResponses = { choice: { action: 'accept', content: { choice: 'a' } } };
  const retry = { text: 'x', requestState: request.result.requestState, inputResponses };
  expect((await modernCall(await space.member('MEMBER'), retry)).error).toMatchObject({ code: -32602 });
  const tampered = { ...retry, requestState: `${String(request.result.requestState).slice(0, -2)}xx` };
  expect((await modernCall(space.owner, tampered)).error).toMatchObject({ code: -32602 });
  expect((await modernCall(space.owner, retry)).result).toMatchObject({ structuredContent: { status: 'COMPLETED' } });
});

const ACCEPT = { accept: 'application/json, text/event-stream' };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1.0.0' },
  },
};

interface ModernCall {
  text: string;
  requestState?: unknown;
  inputResponses?: object;
}

async function modernCall(client: Client, { text, ...more }: ModernCall) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const params = { name: 'call_agent', arguments: { agentId, text }, ...more, _meta };
  const headers = {
    ...ACCEPT,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'call_agent',
  };
  const reply = await client.raw('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { headers });
  const { body } = reply;
  if (typeof body !== 'string') return body;
  return JSON.parse(
    body
      .split('\n')
      .findLast((line) => line.startsWith('data: '))
      ?.slice(6) ?? '',
  );
}
