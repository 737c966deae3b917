import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM } from './talk';

const platform = usePlatform();
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('executing an agent', () => {
  let space: TestSpace;
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    ({ owner } = space);
    agentId = (await owner.post('/agents', AGENT)).body.data.id;
  });

  const execute = (body: object, id = agentId): ReturnType<Client['post']> => owner.post(`/agents/${id}/execute`, body);

  it('answers with the flat result and stores nothing', async () => {
    const reply = await execute({
      inputs: { query: 'hello' },
      settings: { temperature: 1, maxTokens: 50, top_p: 0.5 },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      success: true,
      message: expect.any(String),
      answer: expect.stringContaining('You said: hello'),
      agent_id: agentId,
      execution_time: expect.any(Number),
      token_usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
        cost: expect.any(Number),
      },
    });
    expect(reply.body).not.toHaveProperty('data');
    expect(reply.body).not.toHaveProperty('session_id');
    expect((await owner.get('/agents/sessions')).body.data).toEqual([]);
  });

  it('runs once for an idempotency key, and answers each repeat with its result', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const post = (query: string, client = owner) =>
      client.post(`/agents/${agentId}/execute`, { inputs: { query } }, { headers });
    // The first client does not wait for its answer.
    const leaving = owner.post(
      `/agents/${agentId}/execute`,
      { inputs: { query: '@@delay 50\n@@tokens 40' } },
      { headers, signal: AbortSignal.timeout(500) },
    );
    await expect(leaving).rejects.toThrow();
    const answers = await Promise.all([post('@@delay 50\n@@tokens 40'), post('@@delay 50\n@@tokens 40')]);
    const late = await post('@@delay 50\n@@tokens 40');
    expect([...answers, late].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set([...answers, late].map(({ body }) => body.turn_id)).size).toBe(1);
    expect(late.body.answer).toBe(answers[0].body.answer);
    expect(late.headers['idempotency-replayed']).toBe('true');
    const other = await post('something else');
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    const { frames } = await owner.stream(
      `/agents/${agentId}/execute`,
      { inputs: { query: '@@delay 50\n@@tokens 40' }, stream: true },
      { headers },
    );
    const raw = [];
    for await (const frame of frames) raw.push(frame);
    expect(framesOf(raw).text).toBe(late.body.answer);
    // A key is the caller's own.
    const { body } = await post('something else', await space.member());
    expect(body.answer).toContain('You said: something else');
    expect(
      (await owner.post(`/agents/${agentId}/execute`, {}, { headers: { 'idempotency-key': 'x'.repeat(256) } })).status,
    ).toBe(400);
  });

  it.each([
    [{ settings: { temperature: 1.1 } }, 'settings.temperature'],
    [{ settings: { max_tokens: 5 } }, 'settings.max_tokens'],
    [{ settings: { maxTokens: 0 } }, 'settings.maxTokens'],
    [{ inputs: { query: 5 } }, 'inputs.query'],
    [{ inputs: { memory: 'yes' } }, 'inputs.memory'],
    [{ inputs: { images: 'x' } }, 'inputs.images'],
    [{ inputs: { images: ['file:///etc/passwd'] } }, 'inputs.images[0]'],
    [{ inputs: { audios: [PIXEL] } }, 'inputs.audios[0]'],
    [{ inputs: { session_id: 'x' } }, 'inputs.session_id'],
    [{ inputs: { internet: true } }, 'inputs.internet'],
    [{ inputs: [] }, 'inputs'],
    [{ query: 'x' }, 'query'],
  ])('refuses %j and names the field', async (body, path) => {
    const reply = await execute(body);
    expect(reply.status).toBe(400);
    expect(reply.body.details[0].path).toBe(path);
  });

  it('needs no query, and takes images', async () => {
    expect((await execute({})).status).toBe(200);
    expect((await execute({ inputs: { query: 'look', images: [PIXEL, 'https://example.com/a.png'] } })).status).toBe(
      200,
    );
  });

  it('fills the prompt with variables, as text', async () => {
    const promptVariables = [
      { name: 'topic', required: true },
      { name: 'tone', default: 'kind' },
    ];
    const id = (
      await owner.post('/agents', { ...AGENT, systemPrompt: 'About {{topic}}, {{ tone }}.', promptVariables })
    ).body.data.id;
    const missing = await execute({ inputs: { query: 'x' } }, id);
    expect(missing.status).toBe(400);
    expect(missing.body.details[0].path).toBe('inputs.topic');
    expect((await execute({ inputs: { query: 'x', topic: '{{tone}} ${1+1}', custom: 1 } }, id)).status).toBe(200);
  });

  it('continues a session when one is given', async () => {
    const sessionId = (await owner.post('/agents/sessions', { agentId })).body.data.id;
    const reply = await execute({ inputs: { query: 'kept', session_id: sessionId } });
    expect(reply.body.session_id).toBe(sessionId);
    expect((await owner.get(`/agents/sessions/${sessionId}/messages`)).body.data).toHaveLength(2);
    expect((await execute({ inputs: { query: 'x', session_id: randomUUID() } })).status).toBe(404);
  });

  it('streams the same frames, with the result at the end', async () => {
    const stream = await owner.stream(`/agents/${agentId}/execute`, { inputs: { query: 'hello' }, stream: true });
    expect(stream.status).toBe(200);
    const { frames, text } = framesOf(await stream.all());
    expect(text).toContain('You said: hello');
    expect(frames[1]?.params.data).toMatchObject({ event: PRODUCT_EVENTS.sessionStarted, session_id: null });
    const completed = frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.responseCompleted)?.params.data;
    expect(completed.result).toMatchObject({ answer: text, agent_id: agentId });
    expect(frames.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status: 'COMPLETED' });
  });

  it('answers with JSON that fits the schema, or not at all', async () => {
    const responseSchema = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    };
    const id = (await owner.post('/agents', { ...AGENT, responseSchema })).body.data.id;
    const good = await execute({ inputs: { query: '@@json {"n": 7}' } }, id);
    expect(good.status).toBe(200);
    expect(good.body.output).toEqual({ n: 7 });
    expect(JSON.parse(good.body.answer)).toEqual({ n: 7 });
  });

  it('remembers a person where it is told to', async () => {
    const saved = await execute({
      inputs: { memory: true, query: '@@tool save_memory {"text": "likes tea"}\n@@reply saved {{tool}}' },
    });
    expect(saved.body.answer).toContain('saved');
    const plain = await execute({ inputs: { query: 'x' } });
    const remembering = await execute({ inputs: { query: 'x', memory: true } });
    expect(remembering.body.token_usage.prompt_tokens).toBeGreaterThan(plain.body.token_usage.prompt_tokens);
  });

  it('stops at the step limit and says so', async () => {
    const id = (await owner.post('/agents', { ...AGENT, maxSteps: 1, tools: ['save_memory'] })).body.data.id;
    const reply = await owner.post(`/agents/${id}/chat`, {
      ...contentsOf('@@tool save_memory {"text": "a"}\n@@reply done'),
      stream: false,
    });
    expect(reply.body.data).toMatchObject({ status: 'COMPLETED', finish_reason: 'max_steps' });
  });

  it('refuses unknown models before anything is opened', async () => {
    const id = (await owner.post('/agents', { ...AGENT, model: 'no-such-model' })).body.data.id;
    expect((await execute({ inputs: { query: 'x' } }, id)).status).toBe(404);
  });

  it('leaves out models that the relay does not offer while another one is offered', async () => {
    for (const models of [
      { fallbackModels: ['no-such-model'] },
      { model: 'no-such-model', fallbackModels: ['nor-this-one', 'sim-chat'] },
    ]) {
      const id = (await owner.post('/agents', { ...AGENT, ...models })).body.data.id;
      const reply = await execute({ inputs: { query: '@@reply here' } }, id);
      expect([reply.status, reply.body.answer]).toEqual([200, 'here']);
    }
    const id = (await owner.post('/agents', { ...AGENT, model: 'no-such-model', fallbackModels: ['nor-this-one'] }))
      .body.data.id;
    const refused = await execute({ inputs: { query: 'x' } }, id);
    expect([refused.status, refused.body.message]).toEqual([404, expect.stringContaining('no-such-model')]);
  });

  it('repairs an answer that does not fit once, and then gives up', async () => {
    const withSchema = async (n: object): Promise<string> => {
      const responseSchema = { type: 'object', properties: { n }, required: ['n'], additionalProperties: false };
      return (await owner.post('/agents', { ...AGENT, responseSchema })).body.data.id;
    };
    const fits = await withSchema({ type: 'integer' });
    // The script is played once: the second question is the one that asks for a correction.
    const repaired = await execute({ inputs: { query: '@@reply no JSON at all' } }, fits);
    expect([repaired.status, repaired.body.output]).toEqual([200, { n: expect.any(Number) }]);
    expect(JSON.parse(repaired.body.answer)).toEqual(repaired.body.output);
    const never = await withSchema({ type: 'integer', not: {} });
    const refused = await execute({ inputs: { query: '@@json {"n": 7}' } }, never);
    expect([refused.status, refused.body.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
    const stream = await owner.stream(`/agents/${never}/execute`, {
      inputs: { query: '@@json {"n": 7}' },
      stream: true,
    });
    const { frames, events } = framesOf(await stream.all());
    expect(events.slice(-3)).toEqual([PRODUCT_EVENTS.errorOccurred, 'failed', PRODUCT_EVENTS.streamEnded]);
    expect(frames.at(-3)?.params.data.code).toBe('RUNTIME_UNAVAILABLE');
    // Two questions to the model, and no third.
    expect(frames.filter(({ params }) => params.data.event === 'message-start')).toHaveLength(2);
    // The schema is that of execute; a chat of the same agent talks.
    const talk = await owner.post(`/agents/${never}/chat`, { ...contentsOf('hello'), stream: false });
    expect(talk.body.data.answer).toBe('You said: hello');
  });

  it('in a session takes part in it like a turn of a chat', async () => {
    const form = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };
    const id = (await owner.post('/agents', { ...AGENT, tools: ['ask_user'] })).body.data.id as string;
    const sessionId = (await owner.post('/agents/sessions', { agentId: id })).body.data.id as string;
    const inputs = { session_id: sessionId, query: `@@tool ask_user ${JSON.stringify(form)}\n@@reply chose {{tool}}` };
    const reply = await execute({ inputs }, id);
    expect(reply.body).toMatchObject({ success: true, session_id: sessionId, status: 'WAITING_INPUT' });
    expect(reply.body.interaction).toMatchObject({ kind: 'single_choice', status: 'PENDING', sessionId });
    const busy = await execute({ inputs: { session_id: sessionId, query: 'x' } }, id);
    expect([busy.status, busy.body.code]).toEqual([409, 'TURN_ALREADY_ACTIVE']);
    expect(busy.body.message).toContain(reply.body.turn_id);
    const answer = { sessionId, interactionId: reply.body.interaction.id, selectedOptionIds: ['a'], otherText: null };
    const resumed = await owner.stream(`/agents/${id}/turns/${reply.body.turn_id}/resume`, answer, { headers: STREAM });
    const { frames, text } = framesOf(await resumed.all());
    expect(text).toContain('chose');
    const completed = frames.find(({ params }) => params.data.event === PRODUCT_EVENTS.responseCompleted)?.params.data;
    expect(completed.result).toMatchObject({ answer: text, agent_id: id, session_id: sessionId });
    const foreign = (await platform.newSpace()).owner;
    const theirs = (await foreign.post('/agents/sessions', {})).body.data.id as string;
    for (const session of [theirs, (await owner.post('/agents/sessions', { agentId })).body.data.id as string])
      expect((await execute({ inputs: { session_id: session, query: 'x' } }, id)).status).toBe(404);
  });

  it('remembers for each person and each agent by itself, and only where it is told to', async () => {
    const space = await platform.newSpace();
    const member = await space.member();
    const make = async (): Promise<string> => (await space.owner.post('/agents', AGENT)).body.data.id;
    const [id, another] = [await make(), await make()];
    const words = async (client: Client, agent: string, inputs: object): Promise<number> =>
      (await client.post(`/agents/${agent}/execute`, { inputs: { query: 'x', ...inputs } })).body.token_usage
        .prompt_tokens;
    const before = await words(member, id, { memory: true });
    const query = '@@tool save_memory {"text": "likes green tea in the morning"}\n@@reply ok';
    await space.owner.post(`/agents/${id}/execute`, { inputs: { memory: true, query } });
    expect(await words(space.owner, id, { memory: true })).toBeGreaterThan(before);
    expect(await words(member, id, { memory: true })).toBe(before);
    expect(await words(space.owner, another, { memory: true })).toBe(before);
    const plain = await words(space.owner, id, {});
    expect(plain).toBe(await words(space.owner, another, {}));
    // Without memory there is no tool for it either.
    const refused = await space.owner.post(`/agents/${id}/execute`, { inputs: { query: `${query} {{tool}}` } });
    expect(refused.body.answer).toContain('TOOL_NOT_FOUND');
  });

  it('tells the host through its session which tool it waits for, also where it does not stream', async () => {
    const localTools = [{ name: 'read_clock', description: 'the time', parameters: { type: 'object' } }];
    const id = (await owner.post('/agents', { ...AGENT, localTools })).body.data.id as string;
    const sessionId = (await owner.post('/agents/sessions', { agentId: id })).body.data.id as string;
    const inputs = { session_id: sessionId, query: '@@tool read_clock {"zone": "UTC"}\n@@reply it is {{tool}}' };
    const answered = execute({ inputs }, id);
    const turnId = await until(
      async () => (await owner.get(`/agents/sessions/${sessionId}`)).body.data.activeTurnId as string | null,
    );
    const turn = `/agents/${id}/turns/${turnId}`;
    const events: string[] = [];
    for await (const { data } of (await owner.stream(`${turn}/stream`)).frames) {
      const { event, call_id: callId, name, arguments: args } = data.params.data;
      events.push(event);
      if (event !== PRODUCT_EVENTS.localToolCall) continue;
      expect([name, args]).toEqual(['read_clock', { zone: 'UTC' }]);
      expect((await owner.post(`${turn}/tool-results`, { sessionId, callId, result: '12:34' })).status).toBe(200);
    }
    expect(events.slice(-3)).toEqual([PRODUCT_EVENTS.responseCompleted, 'completed', PRODUCT_EVENTS.streamEnded]);
    expect((await answered).body).toMatchObject({ answer: 'it is 12:34', session_id: sessionId, turn_id: turnId });
    expect((await owner.get(`/agents/sessions/${sessionId}`)).body.data.activeTurnId).toBeNull();
  });
});
