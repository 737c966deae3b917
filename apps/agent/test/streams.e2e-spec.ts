import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM } from './talk';

const platform = usePlatform();

describe('the stream of a turn', () => {
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    agentId = (await owner.post('/agents', AGENT)).body.data.id;
  });

  const chat = (text: string, turnId: string): ReturnType<Client['stream']> =>
    owner.stream(`/agents/${agentId}/chat`, { ...contentsOf(text), turnId }, { headers: STREAM });
  const attach = (turnId: string, query = '', headers: Record<string, string> = {}): ReturnType<Client['stream']> =>
    owner.stream(`/agents/${agentId}/turns/${turnId}/stream${query}`, undefined, { headers });

  it('can be read again from any frame, while it runs and afterwards', async () => {
    const turnId = randomUUID();
    const first = await chat('@@delay 20\n@@tokens 30', turnId);
    const live = attach(turnId, '?after=5').then((reply) => reply.all());
    const whole = framesOf(await first.all()).frames;
    expect(framesOf(await live).frames).toEqual(whole.slice(5));
    for (const after of [0, 1, 7, whole.length - 1]) {
      expect(framesOf(await (await attach(turnId, `?after=${after}`)).all()).frames).toEqual(whole.slice(after));
    }
    expect(framesOf(await (await attach(turnId, '', { 'last-event-id': '9' })).all()).frames).toEqual(whole.slice(9));
    expect(await (await attach(turnId, `?after=${whole.length}`)).all()).toEqual([]);
    expect((await attach(randomUUID())).status).toBe(404);
    expect((await attach(turnId, '?after=-1')).status).toBe(400);
    expect((await attach(turnId, '', { 'last-event-id': 'x' })).status).toBe(400);
  });

  it('goes on when its client leaves', async () => {
    const turnId = randomUUID();
    const leaving = await chat('@@delay 20\n@@tokens 30', turnId);
    for await (const frame of leaving.frames) if (frame.data.seq > 6) break;
    const { events, frames } = framesOf(await (await attach(turnId)).all());
    expect(frames.map((frame) => frame.seq)).toEqual(frames.map((_, at) => at + 1));
    expect(events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    expect((await owner.get(`/agents/${agentId}/turns/${turnId}`)).body.data.status).toBe('COMPLETED');
  });

  it('is one and the same for a hundred callers of one turn', async () => {
    const turnId = randomUUID();
    const space = await platform.newSpace();
    const mine = (await space.owner.post('/agents', AGENT)).body.data.id as string;
    const keys = await Promise.all(Array.from({ length: 3 }, () => space.key()));
    const clients = Array.from({ length: 100 }, (_, at) => keys[at % keys.length] ?? space.owner);
    const replies = await Promise.all(
      clients.map((client) =>
        client.stream(
          `/agents/${mine}/chat`,
          { ...contentsOf('@@delay 10\n@@tokens 20'), turnId },
          { headers: STREAM },
        ),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(clients.map(() => 200));
    const output = await Promise.all(replies.map((reply) => reply.all().then((all) => framesOf(all).frames)));
    for (const frames of output) expect(frames).toEqual(output[0]);
    const sessions = await space.owner.get('/agents/sessions');
    expect(sessions.body.data).toHaveLength(1);
    expect(sessions.body.data[0].messageCount).toBe(2);
  });

  it('waits for a slow reader, which still gets every frame', async () => {
    const turnId = randomUUID();
    const body = JSON.stringify({ ...contentsOf('@@tokens 4000'), turnId });
    const text = await new Promise<string>((resolve, reject) => {
      const call = request(
        `${owner.host}/api/agents/${agentId}/chat`,
        {
          method: 'POST',
          headers: { ...STREAM, authorization: owner.authorization ?? '', 'content-type': 'application/json' },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            response.pause();
            setTimeout(() => response.resume(), 5);
          });
          response.on('end', () => {
            resolve(Buffer.concat(chunks).toString());
          });
          response.on('error', reject);
        },
      );
      call.on('error', reject);
      call.end(body);
    });
    const seqs = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    // Under load words that come together are one frame.
    const words = [...text.matchAll(/"delta":"([^"]*)"/g)].map((match) => match[1]).join('');
    expect(words.trim().split(' ')).toHaveLength(4000);
    expect(text).toContain(PRODUCT_EVENTS.streamEnded);
  });

  it('ends when the credential is revoked, and takes no number of the turn, which goes on', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    const mine = (await space.owner.post('/agents', AGENT)).body.data.id as string;
    const turnId = randomUUID();
    const body = { ...contentsOf('@@delay 100\n@@tokens 60'), turnId };
    const stream = await key.stream(`/agents/${mine}/chat`, body, { headers: STREAM });
    setTimeout(() => void space.owner.post(`/api-keys/${key.identity.keyId ?? ''}/revoke`, {}), 300);
    const output = framesOf(await stream.all());
    expect(output.events).not.toContain(PRODUCT_EVENTS.streamEnded);
    expect(output.frames.map((frame) => frame.seq)).toEqual(output.frames.map((_, at) => at + 1));
    const again = `/agents/${mine}/turns/${turnId}/stream?after=${output.frames.length}`;
    expect((await key.stream(again)).status).toBe(401);
    const rest = framesOf(await (await space.owner.stream(again)).all());
    expect(rest.frames[0]?.seq).toBe(output.frames.length + 1);
    const whole = framesOf(await (await space.owner.stream(`/agents/${mine}/turns/${turnId}/stream`)).all());
    expect([...output.frames, ...rest.frames]).toEqual(whole.frames);
    expect(rest.frames.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status: 'COMPLETED' });
  });

  it('refuses more streams of one credential than it may have', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    const mine = (await space.owner.post('/agents', AGENT)).body.data.id as string;
    const leave = new AbortController();
    const open = await Promise.all(
      Array.from({ length: 50 }, () =>
        key.stream(`/agents/${mine}/chat`, contentsOf('@@delay 1000\n@@tokens 30'), {
          headers: STREAM,
          signal: leave.signal,
        }),
      ),
    );
    expect(open.every((reply) => reply.status === 200)).toBe(true);
    const one = await key.stream(`/agents/${mine}/chat`, contentsOf('one more'), { headers: STREAM });
    expect(one.status).toBe(429);
    expect(one.body.code).toBe('RATE_LIMITED');
    expect(one.headers['retry-after']).toBeDefined();
    leave.abort();
  });

  it('says what went wrong in the stream when it has begun', async () => {
    const reply = await chat('@@error 500', randomUUID());
    const { frames, events } = framesOf(await reply.all());
    expect(events.slice(-3)).toEqual([PRODUCT_EVENTS.errorOccurred, 'failed', PRODUCT_EVENTS.streamEnded]);
    expect(frames.at(-3)?.params.data).toMatchObject({ code: 'RUNTIME_UNAVAILABLE', retryable: true });
    const once = await owner.post(`/agents/${agentId}/chat`, { ...contentsOf('@@error 500'), stream: false });
    expect(once.status).toBe(503);
    expect(once.body.code).toBe('RUNTIME_UNAVAILABLE');
    const cut = framesOf(await (await chat('@@cut 3\n@@tokens 10', randomUUID())).all());
    expect(cut.events.slice(-3)).toEqual([PRODUCT_EVENTS.errorOccurred, 'failed', PRODUCT_EVENTS.streamEnded]);
  });
});
