import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { type Client, promised, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { callTool, connectMcp } from './support/mcp-client';

const platform = usePlatform();
const STREAM = { headers: { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' } };
/** Longer than a test may take: an answer that is not ended by us does not end in time. */
const SLOW = '@@delay 1000\n@@tokens 90';

let space: TestSpace;
let agentId: string;
let datasetId: string;

beforeEach(async () => {
  space = await platform.newSpace();
  const agent = { name: 'Slow', model: 'sim-chat', systemPrompt: 'You are slow.' };
  agentId = (await space.owner.post('/agents', agent)).body.data.id;
  const fields = [{ name: 'text', type: 'text' }];
  datasetId = (await space.owner.post('/datasets', { name: 'Slow', schema: { fields } })).body.data.id;
});

/** An answer that takes long; resolves when it has ended, with what tells that it was refused. */
type LongAnswer = (client: Client, turnId: string) => Promise<string>;

const whole = async (reply: Promise<{ status: number; body: unknown }>): Promise<string> => {
  const { status, body } = await reply;
  return `${status} ${JSON.stringify(body)}`;
};

const textOf = async (client: Client, path: string, body: unknown): Promise<string> => {
  const answer = await fetch(`${client.host}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: client.authorization ?? '', 'content-type': 'application/json', ...STREAM.headers },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  });
  let text = `${answer.status} `;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) text += decoder.decode(chunk);
  } catch {
    text += ' UNAUTHORIZED or cut';
  }
  return text;
};

const bodyOf = (turnId: string, stream: boolean): object => ({
  contents: [{ type: 'text', text: SLOW }],
  turnId,
  stream,
});
const messages = [{ role: 'user', content: SLOW }];

const callMcp = async (client: Client, name: string, args: object, era: 'auto' | 'legacy'): Promise<string> => {
  const mcp = await connectMcp(client, era);
  try {
    return JSON.stringify(await callTool(mcp, name, args));
  } catch (error) {
    return `UNAUTHORIZED or cut: ${String(error)}`;
  } finally {
    await mcp.close().catch(() => undefined);
  }
};

const LONG: Record<string, LongAnswer> = {
  'a chat that is streamed': (client, turnId) => textOf(client, `/api/agents/${agentId}/chat`, bodyOf(turnId, true)),
  'a chat that is not streamed': (client, turnId) =>
    whole(client.post(`/agents/${agentId}/chat`, bodyOf(turnId, false))),
  'an execute that is streamed': (client) =>
    textOf(client, `/api/agents/${agentId}/execute`, { inputs: { query: SLOW }, stream: true }),
  'an execute that is not streamed': (client) =>
    whole(client.post(`/agents/${agentId}/execute`, { inputs: { query: SLOW } })),
  'a relayed stream': (client) =>
    textOf(client, '/models/v1/chat/completions', { model: 'sim-chat', messages, stream: true }),
  'a relayed stream whose field is written with an escape': (client) =>
    textOf(
      client,
      '/models/v1/chat/completions',
      JSON.stringify({ model: 'sim-chat', messages }).replace('{', '{"\\u0073tream":true,'),
    ),
  'a relayed call that is not streamed': (client) =>
    textOf(client, '/models/v1/chat/completions', { model: 'sim-chat', messages }),
  'call_agent over MCP': (client, turnId) => callMcp(client, 'call_agent', { agentId, text: SLOW, turnId }, 'auto'),
  'call_agent over MCP of the older era': (client, turnId) =>
    callMcp(client, 'call_agent', { agentId, text: SLOW, turnId }, 'legacy'),
  'execute_agent over MCP': (client) => callMcp(client, 'execute_agent', { agentId, inputs: { query: SLOW } }, 'auto'),
  'an upload': (client) =>
    new Promise((resolve) => {
      const upload = request(
        `${client.host}/api/datasets/${datasetId}/import`,
        {
          method: 'POST',
          headers: { authorization: client.authorization ?? '', 'content-type': 'application/x-ndjson' },
        },
        (response) => {
          response.resume();
          resolve(`${response.statusCode} UNAUTHORIZED or cut`);
        },
      );
      upload.on('error', () => {
        resolve('UNAUTHORIZED or cut');
      });
      upload.write('{"text":"one"}\n');
    }),
};

/** A model is being called for the Space. */
const isUnderWay = async (): Promise<boolean> =>
  ((await space.owner.get('/usage/balance')).body.data as { reserved: number }).reserved > 0;

const within = async (ended: Promise<string>, ms: number): Promise<string> => {
  const late = new Promise<string>((resolve) => setTimeout(() => resolve('STILL OPEN'), promised(ms)).unref());
  return Promise.race([ended, late]);
};

test.each(Object.entries(LONG))('%s ends within a second when its key is revoked', async (name, answer) => {
  const key = await space.key();
  const ended = answer(key, randomUUID());
  if (name === 'an upload')
    await until(async () => Number((await key.get('/auth/me')).headers['ratelimit-remaining']) < 598);
  else await until(isUnderWay);
  const revoked = await space.owner.post(`/api-keys/${key.identity.keyId ?? ''}/revoke`, {});
  expect(revoked.status).toBe(200);
  expect(await within(ended, 1000)).toContain('UNAUTHORIZED');
});

test('every long answer of a member ends when the member is removed', async () => {
  const member = await space.member('MEMBER');
  const key = await space.key({}, member);
  const request = [member, key].flatMap((client) => [
    textOf(client, `/api/agents/${agentId}/chat`, bodyOf(randomUUID(), true)),
    whole(client.post(`/agents/${agentId}/chat`, bodyOf(randomUUID(), false))),
    textOf(client, '/models/v1/chat/completions', { model: 'sim-chat', messages, stream: true }),
  ]);
  await until(async () => {
    const { data } = (await space.owner.get('/agents/sessions?allUsers=true')).body as { data: unknown[] };
    return data.length === 4;
  });
  expect((await space.owner.delete(`/spaces/${space.id}/members/${member.identity.userId ?? ''}`)).status).toBe(200);
  for (const ended of request) expect(await within(ended, 30_000)).toContain('UNAUTHORIZED');
});

test('a stream is refused before anything of it is opened', async () => {
  const key = await space.key();
  const leave = new AbortController();
  const open = await Promise.all(
    Array.from({ length: 50 }, () =>
      key.stream(`/agents/${agentId}/chat`, bodyOf(randomUUID(), true), { ...STREAM, signal: leave.signal }),
    ),
  );
  try {
    expect(open.map((reply) => reply.status)).toEqual(open.map(() => 200));
    // No look-up happened: that would give 404.
    const refused = [
      await key.get(`/datasets/${randomUUID()}/export`),
      await key.stream(`/agents/${agentId}/turns/${randomUUID()}/stream`),
    ];
    for (const { status } of refused) expect(status).toBe(429);
  } finally {
    leave.abort();
    for (const reply of open) void reply.all().catch(() => undefined);
  }
  await until(async () => (await key.get(`/datasets/${datasetId}/export`)).status === 200);
});

describe('a body that takes its time', () => {
  /** Sends the head and half of the body, has something happen once the request is admitted, then sends the rest. */
  async function sendSlowly(client: Client, path: string, body: object, meanwhile: () => Promise<unknown>) {
    const text = JSON.stringify(body);
    const half = text.length >> 1;
    const before = Number((await client.get('/auth/me')).headers['ratelimit-remaining']);
    let admittedAt = 0;
    const headers = { authorization: client.authorization ?? '', 'content-type': 'application/json' };
    const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
      const slow = request(`${client.host}${path}`, { method: 'POST', headers }, (response) => {
        let received = '';
        response.on('data', (chunk: Buffer) => (received += chunk.toString()));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text: received });
        });
      });
      slow.on('error', reject);
      slow.write(text.slice(0, half));
      const rest = async (): Promise<void> => {
        let request = 0;
        await until(async () => {
          request += 1;
          return Number((await client.get('/auth/me')).headers['ratelimit-remaining']) < before - request;
        });
        admittedAt = Date.now();
        await meanwhile();
        await until(() => Promise.resolve(Date.now() > admittedAt + 1000));
        slow.end(text.slice(half));
      };
      rest().catch(reject);
    });
    return answer;
  }
  const revoke = (key: Client) => async () => {
    expect((await space.owner.post(`/api-keys/${key.identity.keyId ?? ''}/revoke`, {})).status).toBe(200);
    await until(async () => (await key.get('/auth/me')).status === 401);
  };
  const agent = { name: 'Late', model: 'sim-chat', systemPrompt: 'You are late.' };
  const agentNames = async (): Promise<string[]> =>
    ((await space.owner.get('/agents')).body as { data: { name: string }[] }).data.map(({ name }) => name);

  it('is not executed with a key that was revoked meanwhile', async () => {
    const [key, other, third] = [await space.key(), await space.key(), await space.key()];
    const chat = bodyOf(randomUUID(), true);
    const messages = [{ role: 'user', content: 'Hello' }];
    const [made, message, relayed] = await Promise.all([
      sendSlowly(key, '/api/agents', agent, revoke(key)),
      sendSlowly(other, `/api/agents/${agentId}/chat`, chat, revoke(other)),
      sendSlowly(third, '/models/v1/chat/completions', { model: 'sim-chat', messages }, revoke(third)),
    ]);
    expect([made.status, message.status, relayed.status]).toEqual([401, 401, 401]);
    expect(made.text).toContain('UNAUTHORIZED');
    expect(await agentNames()).toEqual(['Slow']);
    expect((await space.owner.get('/agents/sessions?allUsers=true')).body).toMatchObject({ data: [] });
  });

  it('is executed with the rights that its sender has by then', async () => {
    const member = await space.member('ADMIN');
    const demote = async (): Promise<void> => {
      const path = `/spaces/${space.id}/members/${member.identity.userId ?? ''}`;
      expect((await space.owner.patch(path, { role: 'VIEWER' })).status).toBe(200);
      await until(async () => (await member.post('/agents', {})).status === 403);
    };
    expect(await sendSlowly(member, '/api/agents', agent, demote)).toMatchObject({ status: 403 });
    expect(await agentNames()).toEqual(['Slow']);
    const key = await space.key();
    expect(await sendSlowly(key, '/api/agents', agent, () => Promise.resolve())).toMatchObject({ status: 201 });
  });
});
