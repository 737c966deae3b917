import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type NatsAccount, type NatsAnswer, closeConnections, newAccount } from './nats-account';

const platform = usePlatform();

let space: TestSpace;
let account: NatsAccount;
let key: Client;
let agentId: string;

const chatOf = (text: string, more: object = {}): object => ({ contents: [{ type: 'text', text }], ...more });
const framesOf = (messages: NatsAnswer[]): NatsAnswer[] =>
  messages.filter(({ headers }) => headers['Switchyard-Frame'] !== undefined);
const seqOf = ({ headers }: NatsAnswer): number => Number(headers['Switchyard-Frame']);

beforeAll(async () => {
  space = await platform.newSpace();
  ({ account, key } = await newAccount(platform, space));
  const agent = await space.owner.post('/agents', { name: 'Streams', model: 'sim-chat', systemPrompt: 'Answer.' });
  agentId = agent.body.data.id as string;
});

afterAll(closeConnections);

describe('a chat over NATS', () => {
  it('sends each frame as SSE has it, and an empty end', async () => {
    const turnId = newId();
    const messages = await account.stream(`agents.${agentId}.chat`, chatOf('@@reply one two three', { turnId }));
    const end = messages.at(-1);
    expect(end).toMatchObject({ status: 200, text: '', headers: { 'Switchyard-End': 'true' } });
    const frames = framesOf(messages);
    expect(frames.map(seqOf)).toEqual(frames.map((_, at) => at + 1));
    const stream = await key.stream(`/agents/${agentId}/turns/${turnId}/stream?after=0`);
    expect((await stream.all()).map(({ data }) => data)).toEqual(frames.map(({ body }) => body as unknown));
  });

  it('is one answer where stream is false', async () => {
    const answer = await account.request(`agents.${agentId}.chat`, chatOf('@@reply plain', { stream: false }));
    expect(answer.status).toBe(200);
    expect(answer.headers['Switchyard-End']).toBeUndefined();
    expect(answer.text).toContain('plain');
  });

  it('is a stream of execute where stream is true', async () => {
    const body = { inputs: { text: 'x' }, stream: true };
    const messages = await account.stream(`agents.${agentId}.execute`, body);
    expect(framesOf(messages).length).toBeGreaterThan(1);
    expect(messages.at(-1)?.headers['Switchyard-End']).toBe('true');
  });

  it.each([
    ['an unknown agent', () => newId(), {}, 404, 'NOT_FOUND'],
    ['another protocol', () => agentId, { 'Switchyard-Stream-Protocol': 'stream-v1' }, 426, 'STREAM_PROTOCOL_REQUIRED'],
  ])('is refused in one message for %s', async (_what, agent, headers, status, code) => {
    const messages = await account.stream(`agents.${agent()}.chat`, chatOf('@@reply never'), { headers });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ status, body: { success: false, code } });
    expect(messages[0]?.headers).toMatchObject({ 'Switchyard-End': 'true', 'Nats-Service-Error': code });
  });

  it('goes on from a frame by attach', async () => {
    const turnId = newId();
    const frames = framesOf(await account.stream(`agents.${agentId}.chat`, chatOf('@@reply a b c d', { turnId })));
    const attached = await account.stream(`turns.${agentId}.${turnId}.attach`, undefined, {
      headers: { 'Switchyard-Last-Frame': '3' },
    });
    expect(framesOf(attached).map(({ text }) => text)).toEqual(frames.slice(3).map(({ text }) => text));
  });

  it('stops when its reader says so, and the turn goes on', async () => {
    const turnId = newId();
    const messages = await account.stream(`agents.${agentId}.chat`, chatOf('@@delay 20\n@@tokens 100', { turnId }), {
      onMessage: (message, { headers }) => {
        if (headers['Switchyard-Frame'] !== '3') return false;
        const stop = account.natsHeaders({ 'Switchyard-Stop': 'true' });
        account.nats.publish(message.reply ?? '', '', { headers: stop });
        return true;
      },
    });
    expect(messages.some(({ headers }) => headers['Switchyard-End'])).toBe(false);
    const attached = await account.stream(`turns.${agentId}.${turnId}.attach`, undefined, {
      headers: { 'Switchyard-Last-Frame': '0' },
    });
    expect(framesOf(attached).length).toBeGreaterThan(100);
  });

  it('stops when its last listener has left', async () => {
    const open = async (): Promise<number> => {
      const text = await (await fetch(`${platform.state.internalUrls['gateway']}/metrics`)).text();
      return Number(/^switchyard_nats_api_in_flight\{bound="account"\} (\d+)/m.exec(text)?.[1] ?? 0);
    };
    const turnId = newId();
    const inbox = account.inbox();
    const subscription = account.nats.subscribe(inbox, { max: 5 });
    account.nats.publish(
      account.subject(`agents.${agentId}.chat`),
      JSON.stringify(chatOf('@@delay 50\n@@tokens 400', { turnId })),
      { reply: inbox },
    );
    let seen = 0;
    for await (const message of subscription) if (message.headers?.has('Switchyard-Frame')) seen += 1;
    expect(seen).toBe(5);
    await until(async () => (await open()) === 0, { timeoutMs: 10_000 });
    expect((await key.get(`/agents/${agentId}/turns/${turnId}`)).body.data.status).not.toBe('COMPLETED');
    await key.post(`/agents/${agentId}/turns/${turnId}/cancel`, {});
  });
});
