import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { callTool, connectMcp } from './support/mcp-client';

const platform = usePlatform();
const KIB = 1024;
const MIB = 1024 * KIB;
const text = (bytes: number): string => 'x'.repeat(bytes);

let space: TestSpace;
let owner: Client;
let key: Client;
let agentId: string;
let taskId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  ({ owner } = space);
  key = await space.key();
  agentId = (await owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You test.' })).body.data.id;
  taskId = (await owner.post('/tasks', { name: 'T', steps: [step('x')] })).body.data.id;
});

const step = (value: string, id = 'a'): object => ({ id, type: 'transform', with: { text: value } });
const tool = (name: string, bytes: number): object => ({
  name,
  description: 'd',
  parameters: { type: 'object', description: text(bytes) },
});
const nameOf = (bytes: number): string => (bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`);

/** A body that is refused, the path that is named, and the limit. */
type Case = [door: string, path: string, body: () => [string, object], limit: number | string];

const agent = (more: object): [string, object] => [
  '/agents',
  { name: 'A', model: 'sim-chat', systemPrompt: 'You test.', ...more },
];
const task = (more: object): [string, object] => ['/tasks', { name: 'T', steps: [step('x')], ...more }];
const event = (more: object): object => ({ name: 'made', schema: { type: 'object' }, ...more });
const app = (manifest: object): [string, object] => [
  '/applications',
  { manifest: { identifier: 'large', name: 'Large', version: '1.0.0', ...manifest } },
];

describe('what users write has a size, refused with its path and its limit', () => {
  it.each<Case>([
    ['metadata of an agent', 'metadata', () => agent({ metadata: { a: text(16 * KIB) } }), 16 * KIB],
    [
      'local tools',
      'localTools',
      () => agent({ localTools: Array.from({ length: 5 }, (_, n) => tool(`t${n}`, 60 * KIB)) }),
      256 * KIB,
    ],
    ['the schema of a tool', 'localTools[0].parameters', () => agent({ localTools: [tool('t', 65 * KIB)] }), 64 * KIB],
    [
      'MCP servers',
      'mcpServers',
      () =>
        agent({
          mcpServers: Array.from({ length: 15 }, (_, n) => ({
            name: `s${n}`,
            url: 'https://mcp.example',
            allowedTools: Array.from({ length: 150 }, (_none, at) => `${at}${text(124)}`),
          })),
        }),
      256 * KIB,
    ],
    [
      'approvals',
      'approvals',
      () => agent({ approvals: Array.from({ length: 20 }, () => ({ tool: '*', when: { a: text(15 * KIB) } })) }),
      256 * KIB,
    ],
    [
      'a rule of an approval',
      'approvals[0].when',
      () => agent({ approvals: [{ tool: '*', when: { a: text(16 * KIB) } }] }),
      16 * KIB,
    ],
    [
      'variables of a prompt',
      'promptVariables',
      () =>
        agent({
          promptVariables: [
            { name: 'a', default: text(40 * KIB) },
            { name: 'b', default: text(40 * KIB) },
          ],
        }),
      64 * KIB,
    ],
    [
      'a schema of answers',
      'responseSchema',
      () => agent({ responseSchema: { description: text(64 * KIB) } }),
      64 * KIB,
    ],
    ['places of a prompt', 'systemPrompt', () => agent({ systemPrompt: '{{a}}'.repeat(501) }), '500 placeholders'],
    ['inputs of an execute', 'inputs', () => [`/agents/${agentId}/execute`, { inputs: { query: text(MIB) } }], MIB],
    [
      'local tools of one turn',
      'localTools',
      () => [
        `/agents/${agentId}/chat`,
        {
          contents: [{ type: 'text', text: 'Hi' }],
          localTools: Array.from({ length: 5 }, (_, n) => tool(`t${n}`, 60 * KIB)),
        },
      ],
      256 * KIB,
    ],
    [
      'all steps of a task',
      'steps',
      () => task({ steps: Array.from({ length: 5 }, (_, n) => step(text(60 * KIB), `s${n}`)) }),
      256 * KIB,
    ],
    [
      'a text with templates',
      'steps[0].with.text',
      () => task({ steps: [step(`{{ execution.id }}${text(64 * KIB)}`)] }),
      64 * KIB,
    ],
    [
      'expressions of a text',
      'steps[0].with.text',
      () => task({ steps: [step('{{ execution.id }}'.repeat(1001))] }),
      '1000 expressions',
    ],
    ['default inputs', 'inputs', () => task({ inputs: { a: text(64 * KIB) } }), 64 * KIB],
    ['metadata of a task', 'metadata', () => task({ metadata: { a: text(16 * KIB) } }), 16 * KIB],
    ['inputs of an execution', 'inputs', () => [`/tasks/${taskId}/execute`, { inputs: { a: text(MIB) } }], MIB],
    [
      'inputs of a job',
      'input.inputs',
      () => ['/agent-jobs', { type: 'AGENT_INVOKE', agentId, input: { inputs: { query: text(MIB) } } }],
      MIB,
    ],
    [
      'metadata of a job',
      'metadata',
      () => ['/agent-jobs', { type: 'AGENT_INVOKE', agentId, input: { inputs: {} }, metadata: { a: text(16 * KIB) } }],
      16 * KIB,
    ],
    ['metadata of a session', 'metadata', () => ['/agents/sessions', { metadata: { a: text(16 * KIB) } }], 16 * KIB],
    [
      'a manifest',
      'manifest',
      () =>
        app({
          events: Array.from({ length: 40 }, (_, n) =>
            event({ name: `e${n}`, schema: { description: text(30 * KIB) } }),
          ),
        }),
      MIB,
    ],
    [
      'a schema of an event',
      'manifest.events[0].schema',
      () => app({ events: [event({ schema: { description: text(64 * KIB) } })] }),
      64 * KIB,
    ],
    [
      'a filter of a manifest',
      'manifest.subscriptions[0].filter',
      () => app({ events: [event({})], subscriptions: [{ event: 'made', taskId, filter: { a: text(16 * KIB) } }] }),
      16 * KIB,
    ],
    [
      'a task of a manifest',
      'steps',
      () =>
        app({
          events: [event({})],
          subscriptions: [
            {
              event: 'made',
              task: { name: 'T', steps: Array.from({ length: 5 }, (_, n) => step(text(60 * KIB), `s${n}`)) },
            },
          ],
        }),
      256 * KIB,
    ],
  ])('%s', async (_, path, body, limit) => {
    const refused = await owner.post(...body());
    expect([refused.status, refused.body.code, refused.body.details?.[0]?.path]).toEqual([
      400,
      'VALIDATION_ERROR',
      path,
    ]);
    expect(refused.body.message).toContain(typeof limit === 'string' ? limit : nameOf(limit));
  });

  it.each<[string, string, () => [string, object]]>([
    [
      'a tool of chat completions',
      'tools',
      () => ['/openai/v1/chat/completions', { model: agentId, messages: [], tools: [tool('t', 300 * KIB)] }],
    ],
    [
      'a tool of responses',
      'tools',
      () => ['/openai/v1/responses', { model: agentId, input: 'Hi', tools: [tool('t', 300 * KIB)] }],
    ],
    ['metadata of a LangGraph thread', 'metadata', () => ['/langgraph/threads', { metadata: { a: text(16 * KIB) } }]],
    [
      'a tool of an AG-UI run',
      'tools',
      () => [
        `/ag-ui/${agentId}`,
        { threadId: crypto.randomUUID(), runId: 'r', messages: [], tools: [tool('t', 300 * KIB)] },
      ],
    ],
  ])('%s', async (_, path, body) => {
    const [url, sent] = body();
    const refused = await key.raw('POST', url, sent);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(JSON.stringify(refused.body)).toContain(`${path} must be at most`);
  });
});

describe('numbers of many digits', () => {
  const many = (count: number): number[] => Array.from({ length: count }, () => 1e308);

  it('count with all of their digits, as the database gives them back', async () => {
    const refused = await owner.post(`/tasks/${taskId}/execute`, { inputs: { a: many(4000) } });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'inputs' }] } });
    const [, manifest] = app({ identifier: 'digits', events: [event({})] });
    const { systemApiKey } = (await owner.post('/applications', manifest)).body.data as { systemApiKey: string };
    const emit = (payload: object) =>
      owner.as(`Bearer ${systemApiKey}`).post('/events/emit', { appIdentifier: 'digits', event: 'made', payload });
    expect((await emit({ a: many(1000) })).status).toBe(413);
    expect((await emit({ a: many(100) })).status).toBe(202);
  });
});

describe('a payload over the limit of events', () => {
  const payload = { order: text(256 * KIB) };
  // None of them is known to the event-bus, which would say so first: the payload never gets there.
  const emission = { appIdentifier: 'unknown', event: 'none', payload };
  let application: Client;

  beforeAll(async () => {
    const [, manifest] = app({ identifier: 'payloads', events: [event({})] });
    const { systemApiKey } = (await owner.post('/applications', manifest)).body.data as { systemApiKey: string };
    application = owner.as(`Bearer ${systemApiKey}`);
  });

  it('is rejected by the gateway, over REST, by hand and over MCP', async () => {
    const byKey = await application.post('/events/emit', emission);
    expect([byKey.status, byKey.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const byHand = await owner.post(`/events/registered/${newId()}/emit`, { payload });
    expect([byHand.status, byHand.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const mcp = await connectMcp(application, 'auto');
    const answer = await callTool(mcp, 'emit_event', emission);
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^PAYLOAD_TOO_LARGE: /) }] });
    await mcp.close();
    const small = await application.post('/events/emit', { ...emission, payload: { order: 'x' } });
    expect([small.status, small.body.code]).toEqual([404, 'APPLICATION_NOT_INSTALLED']);
  });

  it('is rejected by the step and by the tool that emit', async () => {
    const steps = [
      { id: 'a', type: 'emit', with: { ...emission, payload: { order: '{{ execution.inputs.order }}' } } },
    ];
    const made = await owner.post('/tasks', { name: 'Emits', steps });
    const started = await owner.post(`/tasks/${made.body.data.id}/execute`, { inputs: payload });
    const path = `/tasks/executions/${started.body.data.id}`;
    const ended = await until(async () => {
      const { data } = (await owner.get(path)).body;
      return data.status === 'FAILED' ? data : null;
    });
    expect(ended.error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    const emitting = { name: 'E', model: 'sim-chat', systemPrompt: 'You emit.', tools: ['emit_event'] };
    const { id } = (await owner.post('/agents', emitting)).body.data as { id: string };
    const message = `@@tool emit_event ${JSON.stringify(emission)}`;
    const chat = await owner.post(`/agents/${id}/chat`, { stream: false, contents: [{ type: 'text', text: message }] });
    expect(chat.body.data.tool_executions[0]).toMatchObject({ status: 'failed', error: { code: 'PAYLOAD_TOO_LARGE' } });
  });
});

describe('values in a prompt', () => {
  it('fill at most 1 MiB, in an execute and in MCP prompts alike', async () => {
    const began = ['gateway', 'agent'].map((service) => platform.service(service).pid);
    const made = await owner.post('/agents', {
      name: 'Grows',
      model: 'sim-chat',
      systemPrompt: '{{a}}'.repeat(500),
      promptVariables: [{ name: 'a' }],
    });
    const id = made.body.data.id as string;
    const a = text(10_000);
    const executed = await owner.post(`/agents/${id}/execute`, { inputs: { query: 'Hi', a } });
    expect(executed).toMatchObject({ status: 400, body: { details: [{ path: 'systemPrompt' }] } });
    const mcp = await connectMcp(key, 'auto');
    await expect(mcp.getPrompt({ name: `agent-${id}`, arguments: { a } })).rejects.toThrow(
      /systemPrompt: must be at most 1 MiB/,
    );
    await expect(mcp.getPrompt({ name: `agent-${id}`, arguments: { a: text(MIB) } })).rejects.toThrow(
      /arguments: must be at most 1 MiB/,
    );
    const filled = await mcp.getPrompt({ name: `agent-${id}`, arguments: { a: text(1000) } });
    expect(filled.messages[0]).toMatchObject({ content: { type: 'text', text: text(500_000) } });
    const { prompts } = await mcp.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([`agent-${id}`]);
    await mcp.close();
    expect(['gateway', 'agent'].map((service) => platform.service(service).pid)).toEqual(began);
  });
});

describe('the largest definitions that are accepted', () => {
  /** Many small values are dear to look at. */
  const crowded = (bytes: number): object => ({ a: Array.from({ length: Math.floor((bytes - 8) / 6) }, () => 12_345) });
  const filter = { or: Array.from({ length: 500 }, (_, n) => ({ [`a.b.c${n % 10}`]: { ne: text(11) } })) };

  // Stalls of the event loops and processes over their memory make the run red.
  it('are saved, listed and used, and no process ends', async () => {
    const services = ['gateway', 'agent', 'task', 'event-bus', 'job', 'session'];
    const began = services.map((service) => platform.service(service).pid);
    const large = await owner.post('/agents', {
      name: 'Large',
      model: 'sim-chat',
      systemPrompt: '{{a}}'.repeat(500).padEnd(100_000, '{'),
      promptVariables: [{ name: 'a', default: text(1000) }],
      localTools: Array.from({ length: 3 }, (_, n) => ({ ...tool(`t${n}`, 1), parameters: crowded(60 * KIB) })),
      approvals: Array.from({ length: 15 }, () => ({ tool: 'none', when: filter })),
      metadata: crowded(16 * KIB),
    });
    expect([large.status, large.body.message]).toEqual([201, expect.any(String)]);
    const id = large.body.data.id as string;
    const steps = Array.from({ length: 4 }, (_, n) =>
      step(`{{ execution.inputs.a }}${'{{ execution.inputs.a | eq: 1 }}'.repeat(999)}`.padEnd(62 * KIB, 'x'), `s${n}`),
    );
    const made = await owner.post('/tasks', {
      name: 'Large',
      steps,
      inputs: crowded(64 * KIB),
      metadata: crowded(16 * KIB),
    });
    expect([made.status, made.body.message]).toEqual([201, expect.any(String)]);
    const inputs = { b: text(MIB - 100) };
    const runs = await Promise.all(
      Array.from({ length: 5 }, () =>
        owner.post(`/tasks/${made.body.data.id}/execute`, { inputs: { ...inputs, a: 1 } }),
      ),
    );
    expect(runs.map(({ status }) => status)).toEqual(Array(5).fill(202));
    const events = Array.from({ length: 15 }, (_, n) => ({
      name: `e${n}`,
      schema: { type: 'object', description: text(60 * KIB) },
    }));
    const subscriptions = Array.from({ length: 1 }, () => ({
      event: 'e0',
      task: { name: 'S', steps: [step('x')] },
      filter,
    }));
    const [, manifest] = app({ identifier: 'largest', events, subscriptions });
    const installed = await owner.post('/applications', manifest);
    expect([installed.status, installed.body.message]).toEqual([201, expect.any(String)]);
    const lists = [
      '/agents',
      '/tasks',
      '/applications',
      '/events/registered',
      '/events/subscriptions',
      '/tasks/executions',
    ];
    for (const path of lists) expect((await owner.get(`${path}?limit=100`)).status).toBe(200);
    const executed = await owner.post(`/agents/${id}/execute`, { inputs: { query: 'Hi' } });
    // Tools and prompt are more tokens than a request may have, which is told and not tried.
    expect([executed.status, executed.body.code]).toEqual([400, 'REQUEST_TOO_LARGE']);
    expect(services.map((service) => platform.service(service).pid)).toEqual(began);
  });
});
