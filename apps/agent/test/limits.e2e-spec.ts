import { randomUUID } from 'node:crypto';
import { type Client, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, say, STREAM } from './talk';

const platform = usePlatform();

describe('what bounds a turn', () => {
  let owner: Client;
  let agentId: string;

  beforeEach(async () => {
    owner = (await platform.newSpace()).owner;
    agentId = (await owner.post('/agents', AGENT)).body.data.id;
  });

  const chat = (body: object): ReturnType<Client['post']> =>
    owner.post(`/agents/${agentId}/chat`, body, { headers: STREAM });

  it('is the balance, before a stream opens and without burning the turn id', async () => {
    const { balance } = (await owner.get('/usage/balance')).body.data;
    await owner.post('/usage/credits', { tokens: -balance });
    const turnId = randomUUID();
    const body = { ...say('x'), turnId };
    const refused = await chat(body);
    expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_TOKENS']);
    expect((await owner.get('/agents/sessions')).body.data).toEqual([]);
    await owner.post('/usage/credits', { tokens: 100_000 });
    const accepted = await owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM });
    expect(accepted.status).toBe(200);
    expect(framesOf(await accepted.all()).events.at(-1)).toBe('stream-ended');
  });

  it('is the balance, also right after a turn that had plenty', async () => {
    expect((await chat({ ...say('x'), stream: false })).status).toBe(200);
    const { balance } = (await owner.get('/usage/balance')).body.data;
    await owner.post('/usage/credits', { tokens: -balance });
    const refused = await chat(say('x'));
    expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_TOKENS']);
  });

  it('is the cap of one request', async () => {
    const spaceId = (await owner.get('/auth/me')).body.data.space.id;
    await owner.patch(`/spaces/${spaceId}`, { settings: { requestTokenCap: 50 } });
    const refused = await chat(say('word '.repeat(500)));
    expect([refused.status, refused.body.code]).toEqual([400, 'REQUEST_TOO_LARGE']);
  });

  it('is what one item may hold', async () => {
    const image = (chars: number): object => ({
      contents: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(chars)}` } }],
      stream: false,
    });
    expect((await chat(image(8 * 1024 * 1024))).status).toBe(400);
    expect(
      (await chat({ contents: Array.from({ length: 65 }, () => say('x').contents[0]), stream: false })).status,
    ).toBe(400);
    expect((await chat({ ...say('x'.repeat(1024 * 1024 + 1)), stream: false })).status).toBe(400);
    expect((await chat(image(3 * 1024 * 1024))).status).toBe(200);
  });

  it('is said in the usage of the context', async () => {
    const stream = await owner.stream(`/agents/${agentId}/chat`, say('hello'), { headers: STREAM });
    const { frames } = framesOf(await stream.all());
    const usage = frames.find((frame) => frame.params.data.event === 'context-usage')?.params.data as Record<
      string,
      number
    >;
    expect(usage).toMatchObject({
      used_tokens: expect.any(Number),
      remaining_tokens: expect.any(Number),
      max_tokens: expect.any(Number),
      estimated: expect.any(Boolean),
    });
    expect((usage.used_tokens ?? 0) + (usage.remaining_tokens ?? 0)).toBe(usage.max_tokens);
  });
});
