import { PassThrough } from 'node:stream';
import { until } from '@switchyard/testing';
import { type NatsAccount, type NatsAnswer, answerOf, closeConnections } from './nats-account';
import { OwnServer } from './own-server';

const server = new OwnServer();
const PING_MS = 300;
const FULL_MS = 3_000;

let account: NatsAccount;
let stream: PassThrough;

beforeAll(async () => {
  await server.start(1);
  server.routes.get('/api/agents/a/turns/t/stream', (_, reply) => {
    stream = new PassThrough({ highWaterMark: 64 * 1024 * 1024 });
    // As the gateway's streams begin: the head of an answer is sent with its first bytes.
    stream.write(': open\n\n');
    return reply.header('content-type', 'text/event-stream').send(stream);
  });
  [account] = (await server.serve(['s'], { frameTimes: { pingMs: PING_MS, fullMs: FULL_MS } })) as [NatsAccount];
});

afterAll(async () => {
  await closeConnections();
  await server.stop();
});

const frame = (seq: number, text = 'x'): string => `id: ${seq}\ndata: ${text}\n\n`;

interface Reader {
  messages: NatsAnswer[];
  /** Confirms all frames so far, and from now on each that asks to be. */
  confirm: () => void;
  frames: () => number;
  end: () => Promise<NatsAnswer>;
}

/** Opens the stream, and reads it without confirming anything. */
async function read(): Promise<Reader> {
  const messages: NatsAnswer[] = [];
  const inbox = account.inbox();
  let isConfirming = false;
  let paced: (() => void) | undefined;
  account.nats.subscribe(inbox, {
    callback: (error, message) => {
      if (error) throw error;
      const answer = answerOf(message);
      messages.push(answer);
      if (answer.headers['Switchyard-Pace'] !== 'true') return;
      paced = () => void message.respond();
      if (isConfirming) paced();
    },
  });
  const before = stream as PassThrough | undefined;
  account.nats.publish(account.subject('turns.a.t.attach'), '', { reply: inbox });
  await until(() => (stream as PassThrough | undefined) !== before);
  return {
    messages,
    confirm: () => {
      isConfirming = true;
      paced?.();
    },
    frames: () => messages.filter(({ headers }) => headers['Switchyard-Frame'] !== undefined).length,
    end: () => until(() => messages.find(({ headers }) => headers['Switchyard-End'] === 'true')),
  };
}

describe('a stream without a frame', () => {
  it('has a message in between, as often as its time passes, and goes on', async () => {
    const { messages, end } = await read();
    const pings = (): NatsAnswer[] => messages.filter(({ headers }) => headers['Switchyard-Ping'] === 'true');
    await until(() => pings().length >= 3);
    expect(pings()[0]).toMatchObject({ text: '', headers: { 'Switchyard-Ping': 'true' } });
    expect(pings()[0]?.headers).not.toHaveProperty('Switchyard-Frame');
    stream.end(frame(1));
    expect(await end()).toMatchObject({ status: 200 });
    expect(messages.filter(({ headers }) => headers['Switchyard-Frame'] === '1')).toHaveLength(1);
  });
});

describe('a stream whose reader confirms nothing', () => {
  it('gets 2,048 frames, then a wait, then its end with the last frame', async () => {
    const { frames, end } = await read();
    for (let seq = 1; seq <= 3_000; seq += 1) stream.write(frame(seq));
    const last = await end();
    expect(frames()).toBe(2_048);
    expect(last).toMatchObject({ status: 429, body: { success: false, code: 'RATE_LIMITED' } });
    expect(last.headers).toMatchObject({
      'Switchyard-Last-Frame': '2048',
      'Nats-Service-Error-Code': '429',
      'Nats-Service-Error': 'RATE_LIMITED',
    });
    await until(() => stream.destroyed);
    expect(server.unreadStreams).toEqual([account.id]);
  });

  it('gets 4 MiB where its frames are large', async () => {
    const { frames, end } = await read();
    for (let seq = 1; seq <= 50; seq += 1) stream.write(frame(seq, 'x'.repeat(100_000)));
    expect((await end()).headers['Switchyard-Last-Frame']).toBe('41');
    expect(frames()).toBe(41);
  });

  it('goes on when it confirms while the window is full', async () => {
    const { frames, confirm, end } = await read();
    for (let seq = 1; seq <= 5_000; seq += 1) stream.write(frame(seq));
    stream.end();
    await until(() => frames() === 2_048);
    confirm();
    expect((await end()).status).toBe(200);
    expect(frames()).toBe(5_000);
  });
});

describe('a frame that is larger than a message', () => {
  it('comes without its body, and with its size', async () => {
    const { messages, end } = await read();
    stream.end(frame(1, 'x'.repeat(1_100_000)) + frame(2));
    expect((await end()).status).toBe(200);
    expect(messages).toMatchObject([
      { text: '', headers: { 'Switchyard-Frame': '1', 'Switchyard-Body-Omitted': '1100000' } },
      { text: 'x', headers: { 'Switchyard-Frame': '2' } },
      { headers: { 'Switchyard-End': 'true' } },
    ]);
  });
});
