import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type StreamReply, type TestSpace, avoidMidnight, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM, type WireFrame } from './talk';

const platform = usePlatform();

describe('what bounds a turn', () => {
  let ownSpace: TestSpace;
  let owner: Client;
  let agentId: string;

  beforeEach(async () => {
    await avoidMidnight();
    ownSpace = await platform.newSpace();
    owner = ownSpace.owner;
    agentId = (await owner.post('/agents', AGENT)).body.data.id;
  });

  const chat = (body: object): ReturnType<Client['post']> =>
    owner.post(`/agents/${agentId}/chat`, body, { headers: STREAM });

  it('is the balance, before a stream opens and without burning the turn id', async () => {
    const { balance } = (await owner.get('/usage/balance')).body.data;
    await ownSpace.credit(-balance);
    const turnId = randomUUID();
    const body = { ...contentsOf('x'), turnId };
    const refused = await chat(body);
    expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_TOKENS']);
    expect((await owner.get('/agents/sessions')).body.data).toEqual([]);
    await ownSpace.credit(100_000);
    const accepted = await owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM });
    expect(accepted.status).toBe(200);
    expect(framesOf(await accepted.all()).events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
  });

  it('is no slot for large prompts while the model works: it is free when the relay has the request', async () => {
    const large = (await owner.post('/agents', { ...AGENT, systemPrompt: 'Be brief. '.repeat(7_000) })).body.data.id;
    const streams = Array.from({ length: 6 }, () =>
      owner.stream(`/agents/${large}/chat`, contentsOf('@@delay 2000\n@@tokens 15'), { headers: STREAM }),
    );
    const firstWord = async (opening: Promise<StreamReply>): Promise<void> => {
      const { frames } = await opening;
      for await (const { data } of frames)
        if ((data as WireFrame).params.data.event === PRODUCT_EVENTS.contentDelta) return;
    };
    await Promise.all(streams.map(firstWord));
    // Each of them works for half a minute: those that spoke first still do.
    const running = `select 1 from session.turns where space_id = $1 and status = 'RUNNING'`;
    expect(await platform.database.query(running, [ownSpace.id])).toHaveLength(streams.length);
  });

  it('is the balance, also right after turns that had plenty', async () => {
    // With the second the agent knows that it need not ask for a while.
    for (let n = 0; n < 3; n += 1) expect((await chat({ ...contentsOf('x'), stream: false })).status).toBe(200);
    const { balance } = (await owner.get('/usage/balance')).body.data;
    await ownSpace.credit(-balance);
    for (const refused of [
      await chat(contentsOf('x')),
      await owner.post(`/agents/${agentId}/execute`, { inputs: { query: 'x' } }),
    ])
      expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_TOKENS']);
  });

  it('is the balance, also if another caller has a turn of that id', async () => {
    const space = await platform.newSpace();
    const id = (await space.owner.post('/agents', AGENT)).body.data.id as string;
    const member = await space.member();
    const body = { ...contentsOf('x'), turnId: randomUUID(), stream: false };
    expect((await member.post(`/agents/${id}/chat`, body)).status).toBe(200);
    const { balance } = (await space.owner.get('/usage/balance')).body.data;
    await space.credit(-balance);
    // An OWNER may read the turn of the member, and has none of that id.
    expect((await space.owner.post(`/agents/${id}/chat`, body)).status).toBe(402);
    expect((await space.owner.get('/agents/sessions')).body.data).toEqual([]);
    expect((await member.post(`/agents/${id}/chat`, body)).status).toBe(200);
  });

  it('is the cap of one request', async () => {
    const spaceId = (await owner.get('/auth/me')).body.data.space.id;
    await owner.patch(`/spaces/${spaceId}`, { settings: { requestTokenCap: 50 } });
    const refused = await chat(contentsOf('word '.repeat(500)));
    expect([refused.status, refused.body.code]).toEqual([400, 'REQUEST_TOO_LARGE']);
  });

  it('is the cap of one request, which the past and the tools count towards', async () => {
    const spaceId = (await owner.get('/auth/me')).body.data.space.id;
    const first = (await chat({ ...contentsOf('@@tokens 900'), stream: false })).body.data;
    await owner.patch(`/spaces/${spaceId}`, { settings: { requestTokenCap: 150 } });
    const body = { ...contentsOf('x'), session_id: first.session_id, turnId: randomUUID() };
    const sessionNow = async () => (await owner.get(`/agents/sessions/${first.session_id}`)).body.data;
    const before = await sessionNow();
    const long = await chat(body);
    expect([long.status, long.body.code]).toEqual([400, 'REQUEST_TOO_LARGE']);
    // Nothing is left of it.
    expect(await sessionNow()).toMatchObject({ activeTurnId: null, messageCount: before.messageCount });
    expect((await owner.get(`/agents/sessions/${first.session_id}/messages`)).body.data).toHaveLength(2);
    expect((await owner.get(`/agents/${agentId}/turns/${body.turnId}`)).status).toBe(404);
    const localTools = [{ name: 'look', description: 'word '.repeat(190), parameters: { type: 'object' } }];
    agentId = (await owner.post('/agents', { ...AGENT, localTools })).body.data.id;
    const heavy = await chat(contentsOf('x'));
    expect([heavy.status, heavy.body.code]).toEqual([400, 'REQUEST_TOO_LARGE']);
    expect((await chat({ ...contentsOf('x'), stream: false })).status).toBe(400);
    expect((await owner.get('/agents/sessions')).body.data).toHaveLength(1);
    await owner.patch(`/spaces/${spaceId}`, { settings: { requestTokenCap: 100_000 } });
    agentId = first.agent_id ?? before.agentId;
    expect((await chat({ ...body, stream: false })).body.data).toMatchObject({
      status: 'COMPLETED',
      turn_id: body.turnId,
    });
    expect((await sessionNow()).messageCount).toBe(4);
  });

  it('is the cap of one request, and a past that only the count finds within it is gone on with', async () => {
    const spaceId = (await owner.get('/auth/me')).body.data.space.id;
    const first = (await chat({ ...contentsOf('@@tokens 900'), stream: false })).body.data;
    await owner.patch(`/spaces/${spaceId}`, { settings: { requestTokenCap: 1_500 } });
    const next = (await chat({ ...contentsOf('x'), session_id: first.session_id, stream: false })).body.data;
    expect(next).toMatchObject({ status: 'COMPLETED', session_id: first.session_id });
    const execute = (query: string) => owner.post(`/agents/${agentId}/execute`, { inputs: { query } });
    expect((await execute('x')).status).toBe(200);
  });

  it('is the day and the least balance of the Space', async () => {
    const spaceId = (await owner.get('/auth/me')).body.data.space.id;
    const allow = (settings: object) => owner.patch(`/spaces/${spaceId}`, { settings });
    await allow({ minimumBalance: 10_000_000 });
    const poor = await chat(contentsOf('x'));
    expect([poor.status, poor.body.code]).toEqual([402, 'BELOW_MINIMUM_BALANCE']);
    await allow({ minimumBalance: 0, dailyTokenCap: 1 });
    expect((await chat({ ...contentsOf('x'), stream: false })).status).toBe(200);
    for (const refused of [
      await chat(contentsOf('x')),
      await owner.post(`/agents/${agentId}/execute`, { inputs: { query: 'x' } }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([429, 'DAILY_LIMIT_EXCEEDED']);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it('is how deep a body may be nested', async () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
    const file = (depth: number) => chat({ contents: [{ type: 'file', file_info: nested(depth) }], stream: false });
    expect((await file(40)).status).toBe(200);
    expect(await file(70)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  it('is what one item may hold', async () => {
    const prefix = 'data:image/png;base64,';
    const image = (chars: number): object => ({
      contents: [{ type: 'image_url', image_url: { url: `${prefix}${'A'.repeat(chars - prefix.length)}` } }],
      stream: false,
    });
    // The whole URI counts, not what is encoded in it.
    expect((await chat(image(8 * 1024 * 1024 + 1))).body.details[0].path).toBe('contents[0].image_url.url');
    expect((await chat(image(8 * 1024 * 1024))).status).toBe(200);
    const images = [`${prefix}${'A'.repeat(8 * 1024 * 1024)}`];
    const executed = await owner.post(`/agents/${agentId}/execute`, { inputs: { images } });
    expect([executed.status, executed.body.details[0]]).toEqual([
      400,
      { path: 'inputs', message: 'must be at most 1 MiB (1048576 bytes) as JSON' },
    ]);
    expect(
      (await chat({ contents: Array.from({ length: 65 }, () => contentsOf('x').contents[0]), stream: false })).status,
    ).toBe(400);
    // Of texts the bytes count, in any script.
    for (const text of ['x'.repeat(1024 * 1024 + 1), 'é'.repeat(512 * 1024 + 1)]) {
      const chatted = await chat({ ...contentsOf(text), stream: false });
      expect([chatted.status, chatted.body.details[0]]).toEqual([
        400,
        { path: 'contents[0].text', message: 'must not be longer than 1 MiB in UTF-8' },
      ]);
      const executed = await owner.post(`/agents/${agentId}/execute`, { inputs: { query: text } });
      expect([executed.status, executed.body.details[0].path]).toEqual([400, 'inputs']);
    }
  });

  it('is said in the usage of the context', async () => {
    const stream = await owner.stream(`/agents/${agentId}/chat`, contentsOf('hello'), { headers: STREAM });
    const { frames } = framesOf(await stream.all());
    const usage = frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.contextUsage)?.params
      .data as Record<string, number>;
    expect(usage).toMatchObject({
      used_tokens: expect.any(Number),
      remaining_tokens: expect.any(Number),
      max_tokens: expect.any(Number),
      estimated: expect.any(Boolean),
    });
    expect((usage.used_tokens ?? 0) + (usage.remaining_tokens ?? 0)).toBe(usage.max_tokens);
  });
});
