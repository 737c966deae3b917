import type { Client as McpClient } from '@modelcontextprotocol/client';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { request } from 'node:http';
import { callTool as call, connectMcp as connect } from './support/mcp-client';

const platform = usePlatform();
let space: TestSpace;
let agentId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  const agent = await space.owner.post('/agents', {
    name: 'Echo',
    model: 'sim-chat',
    systemPrompt: 'You serve {{company}}.',
    promptVariables: [{ name: 'company', default: 'ACME' }],
    tools: ['ask_user'],
  });
  agentId = (agent.body as unknown as { data: { id: string } }).data.id;
});

describe.each(['auto', 'legacy'] as const)('an MCP client of the %s era', (era) => {
  let mcp: McpClient;

  beforeAll(async () => {
    mcp = await connect(space.owner, era);
  });
  afterAll(() => mcp.close());

  test('sees every tool in its order, with schemas and annotations', async () => {
    const { tools } = await mcp.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'whoami',
      'list_agents',
      'get_agent',
      'call_agent',
      'execute_agent',
      'list_sessions',
      'get_session_messages',
      'list_pending_interactions',
      'answer_interaction',
      'cancel_turn',
      'submit_job',
      'get_job',
      'cancel_job',
      'list_tasks',
      'execute_task',
      'get_execution',
      'list_datasets',
      'get_dataset',
      'query_dataset',
      'count_records',
      'search_dataset',
      'full_text_search_dataset',
      'insert_records',
      'update_records',
      'delete_records',
      'list_events',
      'emit_event',
      'replay_event',
      'get_usage',
    ]);
    for (const tool of tools) {
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema?.type).toBe('object');
      expect(tool.annotations?.readOnlyHint).toBeDefined();
    }
  });

  test('learns who it is', async () => {
    expect((await call(mcp, 'whoami')).structuredContent).toMatchObject({ role: 'OWNER', space: { id: space.id } });
  });

  test('talks to an agent, hears its progress and finds the conversation', async () => {
    const received: string[] = [];
    const result = await call(mcp, 'call_agent', { agentId, text: '@@delay 20\n@@tokens 200' }, ({ message }) =>
      received.push(message ?? ''),
    );
    expect(result).toMatchObject({ structuredContent: { status: 'COMPLETED', agent_id: agentId } });
    expect(received.length).toBeGreaterThan(1);
    const sessionId = result.structuredContent?.['session_id'];
    const messages = await call(mcp, 'get_session_messages', { sessionId });
    expect((messages.structuredContent as { items: object[] }).items.length).toBeGreaterThanOrEqual(2);
    const { resources } = await mcp.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`session://${String(sessionId)}/transcript`);
    const { contents } = await mcp.readResource({ uri: `session://${String(sessionId)}/transcript` });
    expect(contents[0]).toMatchObject({ mimeType: 'application/json' });
  });

  test('answers the question of an agent', async () => {
    const ask =
      '@@tool ask_user {"kind":"single_choice","prompt":"Which?","options":[{"id":"a","label":"A"},{"id":"b","label":"B"}]}\n@@reply Chosen.';
    const paused = await call(mcp, 'call_agent', { agentId, text: ask });
    expect(paused).toMatchObject({ structuredContent: { status: 'WAITING_INPUT', interaction: { prompt: 'Which?' } } });
    const {
      turn_id: turnId,
      session_id: sessionId,
      interaction,
    } = paused.structuredContent as { turn_id: string; session_id: string; interaction: { id: string } };
    const answered = await call(mcp, 'answer_interaction', {
      agentId,
      turnId,
      sessionId,
      interactionId: interaction.id,
      selectedOptionIds: ['a'],
    });
    expect(answered.structuredContent).toMatchObject({ status: 'COMPLETED', answer: 'Chosen.' });
  });

  test('is told what is wrong by a result that is an error', async () => {
    const missing = await call(mcp, 'get_agent', { agentId: '01900000-0000-7000-8000-000000000000' });
    expect(missing).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/^NOT_FOUND: /) as string }],
    });
    for (const [name, args] of [
      ['get_agent', {}],
      ['get_agent', { agentId: 'x' }],
      ['get_agent', { agentId, colour: 'red' }],
      ['get_usage', { groupBy: 'moon' }],
    ] as const)
      expect(await call(mcp, name, args)).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: expect.stringMatching(/^VALIDATION_ERROR: /) as string }],
      });
    const system = await call(mcp, 'emit_event', { appIdentifier: 'shop', event: 'x', payload: {} });
    expect(system).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^FORBIDDEN: /) as string }],
    });
  });

  test('reads prompts and schemas', async () => {
    const prompt = await mcp.getPrompt({
      name: `agent-${agentId}`,
      arguments: { company: '{{evil}}' },
    });
    expect(prompt.messages[0]?.content).toMatchObject({ type: 'text', text: 'You serve {{evil}}.' });
    const { resourceTemplates } = await mcp.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'dataset://{datasetId}/schema',
      'session://{sessionId}/transcript',
    ]);
  });
});

describe('the door of /mcp', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { accept: 'application/json, text/event-stream' };

  test.each(['Bearer', 'ApiKey', 'API-Key', 'Token'])('takes credentials with %s', async (scheme) => {
    const key = await space.key({ scopes: ['mcp:call'] });
    expect((await key.as(`${scheme} ${key.credential}`).raw('POST', '/mcp', ping, { headers })).status).toBe(200);
  });

  test('answers 401 and says where to learn what is needed', async () => {
    const reply = await space.owner.as(null).raw('POST', '/mcp', ping, { headers });
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toMatch(
      /^Bearer resource_metadata="http.*\/\.well-known\/oauth-protected-resource"$/,
    );
    const metadata = await space.owner.as(null).raw('GET', '/.well-known/oauth-protected-resource');
    expect(metadata.body).toMatchObject({
      resource: expect.stringMatching(/\/mcp$/) as string,
      bearer_methods_supported: ['header'],
    });
  });

  test('names no place to learn from under a host that could not stand in a URL', async () => {
    for (const host of ['evil" , error="x', 'a b', 'a/b?c', 'user@evil'])
      expect([host, await challengeFor(host)]).toEqual([host, 'Bearer']);
    expect(await challengeFor('127.0.0.1:3000')).toBe(
      'Bearer resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource"',
    );
  });

  test('takes notifications with 202, and answers 406 to a client that takes no stream', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await space.owner.raw('POST', '/mcp', notification, { headers })).status).toBe(202);
    const accept = { accept: 'application/json' };
    expect((await space.owner.raw('POST', '/mcp', ping, { headers: accept })).status).toBe(406);
    const { body } = await space.owner.raw('GET', '/openapi.json');
    const { paths } = body as unknown as { paths: Record<string, { post: { responses: object } }> };
    expect(Object.keys(paths['/mcp']?.post.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '202', '400', '401', '403', '404', '405', '406', '413', '415']),
    );
  });

  test('refuses foreign origins and keys without the scope', async () => {
    expect(
      (await space.owner.raw('POST', '/mcp', ping, { headers: { ...headers, origin: 'https://evil.example' } })).status,
    ).toBe(403);
    const key = await space.key({ scopes: ['agents:read'] });
    expect((await key.raw('POST', '/mcp', ping, { headers })).status).toBe(403);
  });

  test('holds tools to the scopes of the key', async () => {
    const key = await space.key({ scopes: ['mcp:call', 'agents:read'] });
    const mcp = await connect(key, 'auto');
    expect((await call(mcp, 'list_agents')).isError ?? false).toBe(false);
    expect(await call(mcp, 'list_datasets')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^FORBIDDEN: /) as string }],
    });
    await mcp.close();
  });

  test('lists the same tools to everybody, and lets a key without their scopes call none of them', async () => {
    const bare = await connect(await space.key({ scopes: ['mcp:call'] }), 'auto');
    const owner = await connect(space.owner, 'auto');
    const { tools } = await owner.listTools();
    expect((await bare.listTools()).tools).toEqual(tools);
    const refused = await Promise.all(tools.map(async ({ name }) => [name, await call(bare, name)] as const));
    const forbidden = { isError: true, content: [{ text: expect.stringMatching(/^FORBIDDEN: /) as string }] };
    for (const [name, answer] of refused)
      if (name !== 'whoami') expect([name, answer]).toMatchObject([name, forbidden]);
    await Promise.all([bare.close(), owner.close()]);
  });

  test('lets the key of an application emit, and nothing else', async () => {
    const manifest = { identifier: 'mcp-shop', name: 'Shop', version: '1.0.0', events: [{ name: 'sold', schema: {} }] };
    const { body } = await space.owner.post('/applications', { manifest });
    const mcp = await connect(space.owner.as(`Bearer ${body.data.systemApiKey}`), 'auto');
    const emission = { appIdentifier: 'mcp-shop', event: 'sold', payload: { n: 1 } };
    expect((await call(mcp, 'emit_event', emission)).structuredContent).toMatchObject({ duplicate: false });
    for (const name of ['whoami', 'list_agents', 'list_events'])
      expect(await call(mcp, name)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^FORBIDDEN: /) as string }],
      });
    expect((await mcp.listResources()).resources).toEqual([]);
    await mcp.close();
  });

  test('has no sessions to read or delete', async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await space.owner.raw(method, '/mcp', undefined, { headers })).status).toBe(405);
    expect((await space.owner.raw('QUERY', '/mcp', {}, { headers })).status).toBe(405);
  });

  test('never swaps the answers of two callers', async () => {
    const other = await platform.newSpace();
    const [mine, theirs] = await Promise.all([connect(space.owner, 'auto'), connect(other.owner, 'auto')]);
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const mcp = index % 2 === 0 ? mine : theirs;
        const { structuredContent } = await call(mcp, 'whoami');
        return (structuredContent as { space: { id: string } }).space.id === (index % 2 === 0 ? space.id : other.id);
      }),
    );
    expect(answers.every(Boolean)).toBe(true);
    await Promise.all([mine.close(), theirs.close()]);
  });
});

/** The response of /mcp to an unauthenticated caller. */
const challengeFor = (host: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(platform.url);
    const asking = request(
      { hostname, port, path: '/mcp', method: 'POST', setHost: false, headers: { host } },
      (reply) => {
        reply.resume();
        resolve(reply.headers['www-authenticate']);
      },
    );
    asking.on('error', reject).end();
  });
