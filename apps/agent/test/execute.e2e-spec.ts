import { randomUUID } from 'node:crypto';
import { type Client, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, say } from './talk';

const platform = usePlatform();
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('executing an agent', () => {
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
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
    expect(frames[1]?.params.data).toMatchObject({ event: 'session-started', session_id: null });
    const completed = frames.find((frame) => frame.params.data.event === 'response-completed')?.params.data;
    expect(completed.result).toMatchObject({ answer: text, agent_id: agentId });
    expect(frames.at(-1)?.params.data).toEqual({ event: 'stream-ended', status: 'COMPLETED' });
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
    const bad = await execute({ inputs: { query: '@@reply this is no JSON' } }, id);
    expect([200, 503]).toContain(bad.status);
    if (bad.status === 503) expect(bad.body.code).toBe('RUNTIME_UNAVAILABLE');
    else expect(bad.body.output).toMatchObject({ n: expect.any(Number) });
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
      ...say('@@tool save_memory {"text": "a"}\n@@reply done'),
      stream: false,
    });
    expect(reply.body.data).toMatchObject({ status: 'COMPLETED', finish_reason: 'max_steps' });
  });

  it('refuses unknown models before anything is opened', async () => {
    const id = (await owner.post('/agents', { ...AGENT, model: 'no-such-model' })).body.data.id;
    expect((await execute({ inputs: { query: 'x' } }, id)).status).toBe(404);
  });
});
