import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, type StreamOutput, contentsOf, STREAM, type WireFrame } from './talk';

const platform = usePlatform();

const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const USAGE = {
  prompt_tokens: expect.any(Number),
  completion_tokens: expect.any(Number),
  total_tokens: expect.any(Number),
  cost: expect.any(Number),
};
const FORM = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };
const ASK = `@@tool ask_user ${JSON.stringify(FORM)}`;

/** Every field by its name, and no other: what clients are written against. */
describe('the answers of a turn, field by field', () => {
  let space: TestSpace;
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    agentId = (await owner.post('/agents', { ...AGENT, tools: ['ask_user', 'save_memory'] })).body.data.id;
  });

  const once = (body: object): ReturnType<Client['post']> =>
    owner.post(`/agents/${agentId}/chat`, { ...body, stream: false });
  const streamed = async (body: object, path = `/agents/${agentId}/chat`): Promise<StreamOutput> =>
    framesOf(await (await owner.stream(path, body, { headers: STREAM })).all());
  const named = ({ frames }: StreamOutput, event: string): WireFrame[] =>
    frames.filter((frame) => frame.params.data.event === event);

  it('are those of a chat that does not stream', async () => {
    const turnId = randomUUID();
    const { status, body } = await once({ ...contentsOf('hello'), turnId });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        session_id: ID,
        turn_id: turnId,
        message_id: ID,
        status: 'COMPLETED',
        answer: 'You said: hello',
        content: [{ type: 'text', text: 'You said: hello' }],
        tool_executions: [],
        evidence: [],
        interaction: null,
        finish_reason: 'stop',
        tokens_used: expect.any(Number),
        token_usage: USAGE,
        execution_time: expect.any(Number),
      },
    });
    const { tokens_used: used, execution_time: seconds } = body.data;
    const usage = body.data.token_usage as Record<keyof typeof USAGE, number>;
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
    expect(used).toBe(usage.total_tokens);
    expect(seconds).toBeLessThan(60);
    const messages = (await owner.get(`/agents/sessions/${body.data.session_id}/messages`)).body.data;
    expect(messages).toEqual([
      { id: ID, sessionId: body.data.session_id, turnId, seq: 1, role: 'user', ...content('hello'), createdAt: TIME },
      {
        id: body.data.message_id,
        sessionId: body.data.session_id,
        turnId,
        seq: 2,
        role: 'assistant',
        ...content('You said: hello'),
        tokenUsage: {
          promptTokens: usage.prompt_tokens,
          completionTokens: usage.completion_tokens,
          totalTokens: usage.total_tokens,
          cost: usage.cost,
        },
        model: 'sim-chat',
        finishReason: 'stop',
        createdAt: TIME,
      },
    ]);
    expect((await owner.get(`/agents/${agentId}/turns/${turnId}`)).body).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        id: turnId,
        agentId,
        sessionId: body.data.session_id,
        status: 'COMPLETED',
        startedAt: TIME,
        finishedAt: TIME,
        error: null,
      },
    });
  });

  const content = (text: string): object => ({ content: [{ type: 'text', text }] });

  it('are those of the stream, frame by frame', async () => {
    const turnId = randomUUID();
    const before = Date.now();
    const reply = await owner.stream(`/agents/${agentId}/chat`, { ...contentsOf('hi'), turnId }, { headers: STREAM });
    expect(reply.headers['x-turn-id']).toBe(turnId);
    const { raw, frames } = framesOf(await reply.all());
    for (const frame of frames) {
      expect(Object.keys(frame).sort()).toEqual(['method', 'params', 'seq', 'type']);
      expect(frame.type).toBe('event');
      expect(Object.keys(frame.params).sort()).toEqual(['data', 'namespace', 'timestamp']);
      expect(frame.params.namespace).toEqual([]);
      expect(frame.params.timestamp).toBeGreaterThanOrEqual(before - 1000);
      expect(frame.params.timestamp).toBeLessThanOrEqual(Date.now() + 1000);
    }
    expect(raw.every(({ event }) => event === undefined)).toBe(true);
    const session = frames[1]?.params.data.session_id as string;
    const message = frames[3]?.params.data.id as string;
    const usage = { inputTokens: 7, outputTokens: 3, totalTokens: 10 };
    const delta = (text: string): object => ({ event: PRODUCT_EVENTS.contentDelta, delta: text, message_id: message });
    expect(frames.map(({ method, params }) => [method, params.data])).toEqual([
      ['lifecycle', { event: 'started', graphName: AGENT.name, graph_name: AGENT.name }],
      [
        'custom:service',
        { event: PRODUCT_EVENTS.sessionStarted, session_id: session, turn_id: turnId, agent_id: agentId },
      ],
      ['lifecycle', { event: 'running', graphName: AGENT.name, graph_name: AGENT.name }],
      ['messages', { event: 'message-start', role: 'ai', id: message, metadata: { model: 'sim-chat' } }],
      ['messages', { event: 'content-block-start', index: 0, content: { type: 'text', text: '' } }],
      ['custom:service', delta('You')],
      ['custom:service', delta(' said:')],
      ['custom:service', delta(' hi')],
      ['messages', { event: 'content-block-finish', index: 0, content: { type: 'text', text: 'You said: hi' } }],
      ['messages', { event: 'message-finish', usage: expect.objectContaining({ inputTokens: expect.any(Number) }) }],
      [
        'custom:service',
        {
          event: PRODUCT_EVENTS.contextUsage,
          used_tokens: expect.any(Number),
          remaining_tokens: expect.any(Number),
          max_tokens: expect.any(Number),
          estimated: true,
        },
      ],
      [
        'custom:service',
        {
          event: PRODUCT_EVENTS.responseCompleted,
          session_id: session,
          turn_id: turnId,
          message_id: message,
          finish_reason: 'stop',
          tokens_used: expect.any(Number),
          token_usage: USAGE,
          execution_time: expect.any(Number),
        },
      ],
      ['lifecycle', { event: 'completed', graphName: AGENT.name, graph_name: AGENT.name }],
      ['custom:service', { event: PRODUCT_EVENTS.streamEnded, status: 'COMPLETED' }],
    ]);
    const [finish] = named({ frames } as StreamOutput, 'message-finish');
    expect(Object.keys(finish?.params.data.usage as object)).toEqual(expect.arrayContaining(Object.keys(usage)));
  });

  it('are those of a tool that fails, in both of its channels', async () => {
    const output = await streamed(contentsOf('@@tool save_memory {}\n@@reply so be it'));
    const [started] = named(output, 'tool-started');
    const callId = started?.params.data.toolCallId as string;
    expect(started).toMatchObject({ method: 'tools', params: { data: { toolName: 'save_memory', input: {} } } });
    const [failed] = named(output, 'tool-error');
    expect(failed?.method).toBe('tools');
    expect(failed?.params.data).toMatchObject({
      toolCallId: callId,
      message: expect.any(String),
      code: 'INVALID_ARGUMENTS',
    });
    expect(named(output, PRODUCT_EVENTS.toolExecution).map(({ params }) => params.data)).toEqual([
      {
        event: PRODUCT_EVENTS.toolExecution,
        tool_call_id: callId,
        name: 'save_memory',
        source: 'builtin',
        status: 'started',
        arguments: {},
      },
      {
        event: PRODUCT_EVENTS.toolExecution,
        tool_call_id: callId,
        name: 'save_memory',
        source: 'builtin',
        status: 'failed',
        arguments: {},
        error: { code: 'INVALID_ARGUMENTS', message: expect.any(String) },
        duration_ms: expect.any(Number),
      },
    ]);
    const sessionId = output.frames[1]?.params.data.session_id as string;
    const { data: messages } = (await owner.get(`/agents/sessions/${sessionId}/messages`)).body;
    expect(messages.map((message: { role: string }) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(messages[1]).toMatchObject({
      content: [],
      toolCalls: [{ id: callId, name: 'save_memory', arguments: {} }],
      finishReason: 'tool_calls',
    });
    expect(messages[2]).toMatchObject({ toolCallId: callId, name: 'save_memory', content: [{ type: 'text' }] });
    // Questions of people, answers and tools alike.
    const status = await owner.post(`/agents/${agentId}/sessions/${sessionId}/context/status`, {});
    expect(status.body.data.message_count).toBe(4);
  });

  it('are those of a question, of its repeated answers, and of its cancellation', async () => {
    const turnId = randomUUID();
    const { data } = (await once({ ...contentsOf(`${ASK}\n@@reply ok`), turnId })).body;
    expect(data).toMatchObject({ status: 'WAITING_INPUT', finish_reason: null, turn_id: turnId });
    expect(data.interaction).toEqual({
      id: ID,
      turnId,
      sessionId: data.session_id,
      purpose: 'question',
      kind: 'single_choice',
      prompt: 'Which?',
      options: [{ id: 'a', label: 'A' }],
      allowOther: false,
      status: 'PENDING',
      createdAt: TIME,
      answeredAt: null,
      expiresAt: TIME,
    });
    const days = (Date.parse(data.interaction.expiresAt) - Date.parse(data.interaction.createdAt)) / 86_400_000;
    expect(days).toBeCloseTo(7, 3);
    expect((await owner.get(`/agents/${agentId}/turns/${turnId}`)).body.data).toMatchObject({
      status: 'WAITING_INPUT',
      finishedAt: null,
    });
    const session = `/agents/sessions/${data.session_id}`;
    expect((await owner.get(session)).body.data).toMatchObject({ activeTurnId: turnId, messageCount: 1 });
    // The same request again finds the same question, in either way.
    expect((await once({ ...contentsOf(`${ASK}\n@@reply ok`), turnId })).body.data).toEqual(data);
    const replay = await streamed({ ...contentsOf(`${ASK}\n@@reply ok`), turnId });
    expect(replay.frames.find(({ method }) => method === 'input')?.params.data.payload).toEqual(data.interaction);
    expect(replay.frames.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status: 'WAITING_INPUT' });

    const answer = { sessionId: data.session_id, interactionId: data.interaction.id, otherText: null };
    const resume = `/agents/${agentId}/turns/${turnId}/resume`;
    await streamed({ ...answer, selectedOptionIds: ['a'] }, resume);
    expect((await owner.get(session)).body.data).toMatchObject({ activeTurnId: null, messageCount: 4 });
    // And its end, once it has come to it.
    expect((await once({ ...contentsOf(`${ASK}\n@@reply ok`), turnId })).body.data).toMatchObject({
      turn_id: turnId,
      status: 'COMPLETED',
      answer: 'ok',
      interaction: null,
      tool_executions: [{ name: 'ask_user', source: 'builtin', status: 'succeeded' }],
    });
    const again = await owner.post(resume, { ...answer, selectedOptionIds: ['nonsense'] }, { headers: STREAM });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        idempotent: true,
        turn_id: turnId,
        status: 'COMPLETED',
        interaction: {
          ...data.interaction,
          status: 'ANSWERED',
          selectedOptionIds: ['a'],
          otherText: null,
          answeredBy: owner.identity.userId,
          answeredAt: TIME,
        },
      },
    });
    const cancelled = await owner.post(`/agents/${agentId}/turns/${turnId}/cancel`, { sessionId: data.session_id });
    expect(cancelled.body).toEqual({
      success: true,
      message: expect.any(String),
      data: { turn_id: turnId, status: 'COMPLETED' },
    });
  });

  it('are those of a failure', async () => {
    const turnId = randomUUID();
    const output = await streamed({ ...contentsOf('@@error 500'), turnId });
    expect(named(output, PRODUCT_EVENTS.errorOccurred)[0]?.params.data).toEqual({
      event: PRODUCT_EVENTS.errorOccurred,
      code: 'RUNTIME_UNAVAILABLE',
      message: expect.any(String),
      retryable: true,
    });
    expect(named(output, 'failed')[0]?.params.data).toMatchObject({ event: 'failed', error: expect.any(String) });
    expect(output.frames.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status: 'FAILED' });
    expect((await owner.get(`/agents/${agentId}/turns/${turnId}`)).body.data).toMatchObject({
      status: 'FAILED',
      finishedAt: TIME,
      error: { code: 'RUNTIME_UNAVAILABLE', message: expect.any(String), retryable: true },
    });
    const reply = await once({ ...contentsOf('@@error 500'), turnId });
    expect([reply.status, reply.body.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
    const executed = await owner.post(`/agents/${agentId}/execute`, { inputs: { query: '@@error 500' } });
    expect([executed.status, executed.body]).toEqual([
      503,
      { success: false, message: expect.any(String), code: 'RUNTIME_UNAVAILABLE' },
    ]);
  });

  it('say of a refusal by the model itself that a repeat would not help, wherever it is read', async () => {
    const turnId = randomUUID();
    const output = await streamed({ ...contentsOf('@@error 400 The context is too long.'), turnId });
    const expected = { code: 'RUNTIME_UNAVAILABLE', message: expect.stringContaining('too long'), retryable: false };
    expect(named(output, PRODUCT_EVENTS.errorOccurred)[0]?.params.data).toEqual({
      event: PRODUCT_EVENTS.errorOccurred,
      ...expected,
    });
    expect((await owner.get(`/agents/${agentId}/turns/${turnId}`)).body.data.error).toEqual(expected);
    const sessionId = named(output, PRODUCT_EVENTS.sessionStarted)[0]?.params.data['session_id'] as string;
    const { data: messages } = (await owner.get(`/agents/sessions/${sessionId}/messages`)).body;
    expect(messages.at(-1)).toMatchObject({ role: 'event', event: { type: 'error', ...expected } });
    const again = await streamed({ ...contentsOf('@@error 400 The context is too long.'), turnId });
    expect(named(again, PRODUCT_EVENTS.errorOccurred)).toEqual(named(output, PRODUCT_EVENTS.errorOccurred));
    const whole = [
      await once({ ...contentsOf('@@error 400 The context is too long.'), turnId }),
      await owner.post(`/agents/${agentId}/execute`, { inputs: { query: '@@error 400 Too long.' } }),
    ];
    for (const { status, headers } of whole) expect([status, headers['x-should-retry']]).toEqual([503, 'false']);
    expect((await once(contentsOf('@@error 500'))).headers['x-should-retry']).toBeUndefined();
  });

  it('are refusals of 426, with what would do, before any work', async () => {
    const unknown = `/agents/${randomUUID()}`;
    const resume = { sessionId: randomUUID(), interactionId: randomUUID(), selectedOptionIds: ['a'], otherText: null };
    for (const [path, body] of [
      [`/agents/${agentId}/chat`, contentsOf('x')],
      [`${unknown}/chat`, contentsOf('x')],
      [`${unknown}/turns/${randomUUID()}/resume`, resume],
    ] as const) {
      for (const headers of [{}, { 'x-service-stream-protocol': 'stream-v2' }] as Record<string, string>[]) {
        const refused = await owner.post(path, body, { headers });
        expect([refused.status, refused.body]).toEqual([
          426,
          { success: false, message: expect.any(String), code: 'STREAM_PROTOCOL_REQUIRED' },
        ]);
        expect(refused.headers).toMatchObject({ 'x-service-stream-protocol': 'stream-v3', upgrade: 'stream-v3' });
      }
    }
    expect((await owner.post(`${unknown}/turns/${randomUUID()}/resume`, { ...resume, sessionId: 1 })).status).toBe(400);
    // Without streaming it is not requested, and execute has its own field for it.
    expect((await once(contentsOf('x'))).status).toBe(200);
    const executed = await owner.stream(`/agents/${agentId}/execute`, { inputs: { query: 'x' }, stream: true });
    expect([executed.status, executed.headers['x-service-stream-protocol']]).toEqual([200, 'stream-v3']);
    await executed.all();
  });
});
