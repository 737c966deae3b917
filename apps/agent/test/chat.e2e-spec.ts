import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM } from './talk';

const platform = usePlatform();

describe('chat with an agent', () => {
  let space: TestSpace;
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    agentId = (await owner.post('/agents', AGENT)).body.data.id;
  });

  it('streams the answer in contiguous frames, in the promised order', async () => {
    const reply = await owner.stream(`/agents/${agentId}/chat`, contentsOf('hello there'), { headers: STREAM });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(reply.headers['x-service-stream-protocol']).toBe('stream-v3');
    const { frames, events, text, raw } = framesOf(await reply.all());
    expect(frames.map((frame) => frame.seq)).toEqual(frames.map((_, at) => at + 1));
    expect(raw.map((frame) => frame.id)).toEqual(frames.map((frame) => String(frame.seq)));
    expect(text).toContain('You said: hello there');
    expect(frames[0]).toMatchObject({
      type: 'event',
      method: 'lifecycle',
      params: { namespace: [], data: { event: 'started' } },
    });
    expect(frames[1]?.params.data).toMatchObject({ event: PRODUCT_EVENTS.sessionStarted, agent_id: agentId });
    expect(events.slice(-3)).toEqual([PRODUCT_EVENTS.responseCompleted, 'completed', PRODUCT_EVENTS.streamEnded]);
    expect(frames.at(-1)?.params.data.status).toBe('COMPLETED');
    const completed = frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.responseCompleted)?.params.data;
    expect(completed.tokens_used).toBeGreaterThan(0);
    expect(completed.session_id).toBe(frames[1]?.params.data.session_id);
  });

  it('answers once when stream is false, and keeps the conversation', async () => {
    const first = await owner.post(`/agents/${agentId}/chat`, { ...contentsOf('one'), stream: false });
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      status: 'COMPLETED',
      answer: expect.stringContaining('You said: one'),
      interaction: null,
    });
    const sessionId = first.body.data.session_id;
    const second = await owner.post(`/agents/${agentId}/chat`, {
      ...contentsOf('two'),
      session_id: sessionId,
      stream: false,
    });
    expect(second.body.data.session_id).toBe(sessionId);
    const messages = await owner.get(`/agents/sessions/${sessionId}/messages`);
    expect(messages.body.data.map((message: { role: string }) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('needs the protocol header of a stream, after the body and before any work', async () => {
    const missing = await owner.post(`/agents/${agentId}/chat`, contentsOf('x'));
    expect(missing.status).toBe(426);
    expect(missing.body).toMatchObject({ success: false, code: 'STREAM_PROTOCOL_REQUIRED' });
    expect(missing.headers['x-service-stream-protocol']).toBe('stream-v3');
    expect(missing.headers['upgrade']).toBe('stream-v3');
    const other = await owner.post(`/agents/${agentId}/chat`, contentsOf('x'), {
      headers: { 'x-service-stream-protocol': 'stream-v2' },
    });
    expect(other.status).toBe(426);
    const badBody = await owner.post(`/agents/${agentId}/chat`, { contents: [] });
    expect(badBody.status).toBe(400);
    const anonymous = await platform.anonymous.post(`/agents/${agentId}/chat`, contentsOf('x'));
    expect(anonymous.status).toBe(401);
  });

  it.each([
    [{ contents: [] }, 'contents'],
    [{ contents: 'hi' }, 'contents'],
    [{ contents: [{ type: 'text' }] }, 'contents[0].text'],
    [{ contents: [{ type: 'video', text: 'x' }] }, 'contents[0].type'],
    [{ contents: [{ type: 'text', text: 'x', extra: 1 }] }, 'contents[0].extra'],
    [{ contents: [{ type: 'image_url', image_url: { url: 'ftp://x/y' } }] }, 'contents[0].image_url.url'],
    [
      { contents: [{ type: 'image_url', image_url: { url: 'data:text/html;base64,AAAA' } }] },
      'contents[0].image_url.url',
    ],
    [{ ...contentsOf('x'), settings: { temperature: 2.1 } }, 'settings.temperature'],
    [{ ...contentsOf('x'), settings: { max_tokens: 0 } }, 'settings.max_tokens'],
    [{ ...contentsOf('x'), settings: { maxTokens: 5 } }, 'settings.maxTokens'],
    [{ ...contentsOf('x'), settings: { chat_mode: 'other' } }, 'settings.chat_mode'],
    [{ ...contentsOf('x'), settings: { temperature: -0.1 } }, 'settings.temperature'],
    [{ ...contentsOf('x'), settings: { top_p: 1.1 } }, 'settings.top_p'],
    [{ ...contentsOf('x'), settings: { max_tokens: 1.5 } }, 'settings.max_tokens'],
    [{ ...contentsOf('x'), settings: { disable_web_search: 'no' } }, 'settings.disable_web_search'],
    [{ ...contentsOf('x'), session_id: 'mine' }, 'session_id'],
    [{ contents: [{ type: 'image_url', text: 'x' }] }, 'contents[0].image_url'],
    [{ contents: [{ type: 'text', text: 'x', file_info: {} }] }, 'contents[0].file_info'],
    [{ contents: [{ type: 'image_url', image_url: { url: 'http://a/b', size: 1 } }] }, 'contents[0].image_url.size'],
    [{ contents: [{ type: 'audio', audio_url: { url: 'data:audio/wav,plain' } }] }, 'contents[0].audio_url.url'],
    [{ contents: [{ type: 'file', file_info: 'a.pdf' }] }, 'contents[0].file_info'],
    [{ ...contentsOf('x'), messages: [] }, 'messages'],
    [{ ...contentsOf('x'), turnId: 'abc' }, 'turnId'],
    [{ ...contentsOf('x'), stream: 'false' }, 'stream'],
  ])('refuses %j and names the field', async (body, path) => {
    const reply = await owner.post(`/agents/${agentId}/chat`, { stream: false, ...body });
    expect(reply.status).toBe(400);
    expect(reply.body.code).toBe('VALIDATION_ERROR');
    expect(reply.body.details[0].path).toBe(path);
  });

  it('answers 404 for unknown agents and sessions, also of other Spaces', async () => {
    const other = await platform.newSpace();
    expect((await other.owner.post(`/agents/${agentId}/chat`, { ...contentsOf('x'), stream: false })).status).toBe(404);
    expect((await owner.post(`/agents/${randomUUID()}/chat`, { ...contentsOf('x'), stream: false })).status).toBe(404);
    expect(
      (await owner.post(`/agents/${agentId}/chat`, { ...contentsOf('x'), session_id: randomUUID(), stream: false }))
        .status,
    ).toBe(404);
  });

  it('answers a retry of a turn with its first answer and another body with 409', async () => {
    const turnId = randomUUID();
    const body = { ...contentsOf('only once'), turnId, stream: false };
    const first = await owner.post(`/agents/${agentId}/chat`, body);
    const second = await owner.post(`/agents/${agentId}/chat`, body);
    expect(second.body.data).toEqual(first.body.data);
    const replay = framesOf(
      await (
        await owner.stream(`/agents/${agentId}/chat`, { ...contentsOf('only once'), turnId }, { headers: STREAM })
      ).all(),
    );
    expect(replay.text).toBe(first.body.data.answer);
    expect(replay.frames[0]?.seq).toBe(1);
    expect(replay.events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    const other = await owner.post(`/agents/${agentId}/chat`, {
      ...contentsOf('something else'),
      turnId,
      stream: false,
    });
    expect(other.status).toBe(409);
    expect(other.body.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('refuses a second turn while one is active, and names it', async () => {
    const session = await owner.post('/agents/sessions', { agentId });
    const sessionId = session.body.data.id;
    const turnId = randomUUID();
    const stream = await owner.stream(
      `/agents/${agentId}/chat`,
      { ...contentsOf('@@delay 100\n@@tokens 200'), session_id: sessionId, turnId },
      { headers: STREAM },
    );
    expect(stream.status).toBe(200);
    const second = await owner.post(`/agents/${agentId}/chat`, {
      ...contentsOf('me too'),
      session_id: sessionId,
      stream: false,
    });
    expect(second.status).toBe(409);
    expect(second.body.code).toBe('TURN_ALREADY_ACTIVE');
    expect(second.body.message).toContain(turnId);
    await owner.post(`/agents/${agentId}/turns/${turnId}/cancel`, { sessionId });
    expect(framesOf(await stream.all()).events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
  });

  it('takes every kind of content and every setting, and keeps what was said as it was said', async () => {
    const contents = [
      { type: 'text', text: 'Look, and listen.' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'auto' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'audio', audio_url: { url: 'data:audio/wav;base64,UklGRg==' } },
      { type: 'audio', audio_url: { url: 'http://example.com/a.mp3' } },
      { type: 'file', file_info: { name: 'a.pdf', pages: 3, tags: ['x', null] } },
    ];
    const settings = {
      temperature: 2,
      max_tokens: 1000,
      top_p: 1,
      frequency_penalty: -7.5,
      presence_penalty: 3,
      chat_mode: 'agent',
      disable_web_search: true,
    };
    const reply = await owner.post(`/agents/${agentId}/chat`, { contents, settings, stream: false });
    expect([reply.status, reply.body.data?.status]).toEqual([200, 'COMPLETED']);
    const sessionId = reply.body.data.session_id;
    expect((await owner.get(`/agents/sessions/${sessionId}/messages`)).body.data[0].content).toEqual(contents);
    expect((await owner.get(`/agents/sessions/${sessionId}`)).body.data.title).toBe('Look, and listen.');
    const zero = { ...settings, temperature: 0, top_p: 0, max_tokens: 1, chat_mode: 'ask' };
    const least = await owner.post(`/agents/${agentId}/chat`, { ...contentsOf('x'), settings: zero, stream: false });
    expect(least.body.data).toMatchObject({ answer: 'You', finish_reason: 'length' });
  });
});
