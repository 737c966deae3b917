import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM, type WireFrame } from './talk';

const platform = usePlatform();
const WEATHER = {
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const CALL = '@@tool get_weather {"city":"Oslo"}';

describe('what a turn brings for itself alone', () => {
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    const localTools = [{ ...WEATHER, name: 'of_the_agent' }];
    agentId = (await owner.post('/agents', { ...AGENT, localTools })).body.data.id;
  });

  const chat = (body: object): ReturnType<Client['post']> =>
    owner.post(`/agents/${agentId}/chat`, { stream: false, ...body });

  it('is a tool of the host, known to this turn and to no other', async () => {
    const turnId = randomUUID();
    const body = { ...contentsOf(`${CALL}\n@@reply it is {{tool}}`), turnId, localTools: [WEATHER] };
    const stream = await owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM });
    const raw = [];
    let sessionId = '';
    for await (const frame of stream.frames) {
      raw.push(frame);
      const { data } = (frame.data as WireFrame).params;
      if (data.event === PRODUCT_EVENTS.sessionStarted) sessionId = data.session_id;
      if (data.event !== PRODUCT_EVENTS.localToolCall) continue;
      const result = { callId: data.call_id, result: { sky: 'clear' } };
      expect((await owner.post(`/agents/${agentId}/turns/${turnId}/tool-results`, result)).status).toBe(200);
    }
    expect(framesOf(raw).text).toContain('clear');
    const next = await chat({ ...contentsOf(CALL), session_id: sessionId });
    expect(next.body.data.tool_executions).toMatchObject([{ error: { code: 'TOOL_NOT_FOUND' } }]);
  });

  it('is a schema of the answer, in a chat and in an execute', async () => {
    const chatted = await chat({ ...contentsOf('@@json {"city":"Oslo"}'), responseSchema: SCHEMA });
    expect(chatted.body.data.output).toEqual({ city: expect.any(String) });
    const inputs = { query: 'where?' };
    const executed = await owner.post(`/agents/${agentId}/execute`, { inputs, responseSchema: SCHEMA });
    expect(executed.body.output).toEqual({ city: expect.any(String) });
  });

  it('takes an answer back that did not fit, in its stream and at every replay, and keeps none of it', async () => {
    const turnId = randomUUID();
    const prompt = { ...contentsOf('@@think hm\n@@reply no JSON at all'), turnId, responseSchema: SCHEMA };
    const stream = await owner.stream(`/agents/${agentId}/chat`, prompt, { headers: STREAM });
    const { frames, events } = framesOf(await stream.all());
    const restarted = frames.findIndex(({ params }) => params.data.event === PRODUCT_EVENTS.stepRestarted);
    const fromSeq = frames[restarted]?.params.data.from_seq as number;
    const firstMessage = frames.find(({ params }) => params.data.event === 'message-start');
    expect(fromSeq).toBe(firstMessage?.seq);
    const textOf = (some: WireFrame[]): string =>
      some
        .flatMap(({ params: { data } }) => (data.event === PRODUCT_EVENTS.contentDelta ? [data.delta as string] : []))
        .join('');
    expect(textOf(frames.slice(0, restarted))).toBe('no JSON at all');
    const answer = textOf(frames.slice(restarted));
    expect(JSON.parse(answer)).toEqual({ city: expect.any(String) });
    expect(events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    const replay = await owner.stream(`/agents/${agentId}/turns/${turnId}/stream`, undefined);
    expect(framesOf(await replay.all()).frames).toEqual(frames);
    const { data } = (await chat(prompt)).body;
    expect(data).toMatchObject({ status: 'COMPLETED', answer });
    expect(data).not.toHaveProperty('reasoning');
    const { body } = await owner.get(`/agents/sessions/${data.session_id as string}/messages`);
    const roles = (body.data as { role: string; content: { text: string }[] }[]).map(
      ({ role, content }) => `${role}: ${content[0]?.text ?? ''}`,
    );
    expect(roles).toEqual([expect.stringMatching(/^user: /), `assistant: ${answer}`]);
  });

  it('is part of what a turn id names', async () => {
    const turnId = randomUUID();
    expect((await chat({ ...contentsOf('hi'), turnId, localTools: [WEATHER] })).status).toBe(200);
    expect((await chat({ ...contentsOf('hi'), turnId, localTools: [WEATHER] })).status).toBe(200);
    expect((await chat({ ...contentsOf('hi'), turnId })).body.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  it.each([
    [{ localTools: [WEATHER, WEATHER] }, 'localTools[1].name'],
    [{ localTools: [{ ...WEATHER, name: 'of_the_agent' }] }, 'localTools[0].name'],
    [{ localTools: [{ ...WEATHER, name: 'ask_user' }] }, 'localTools[0].name'],
    [{ localTools: [{ ...WEATHER, name: 'a__b' }] }, 'localTools[0].name'],
    [{ localTools: [{ ...WEATHER, name: '1a' }] }, 'localTools[0].name'],
    [{ localTools: [{ ...WEATHER, parameters: { type: 'odd' } }] }, 'localTools[0].parameters'],
    [{ responseSchema: { type: 'odd' } }, 'responseSchema'],
    [{ responseSchema: [] }, 'responseSchema'],
    [{ responseSchema: { pattern: '(?:(?:a{1000}){1000}){1000}' } }, 'responseSchema'],
    [{ responseSchema: { properties: { link: { format: 'url' } } } }, 'responseSchema'],
    [{ localTools: [{ ...WEATHER, parameters: { pattern: 'a'.repeat(513) } }] }, 'localTools[0].parameters'],
  ])('refuses %j and names the field', async (own, path) => {
    const replies = [
      await chat({ ...contentsOf('hi'), ...own }),
      await owner.post(`/agents/${agentId}/execute`, { inputs: { query: 'hi' }, ...own }),
    ];
    for (const { status, body } of replies) {
      expect(status).toBe(400);
      expect(body.details[0].path).toBe(path);
    }
  });
});
