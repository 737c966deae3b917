import { createConnection } from 'node:net';
import { natsSubject, serviceCtx } from '@switchyard/contracts';
import { until } from '@switchyard/testing';
import { Calls } from './contracts';
import { Server, waiting } from './handlers';
import { NatsProcess } from './nats-process';
import { Peer, makeKeys, startPeer } from './peer';

const keys = makeKeys(['task', 'job', 'agent']);
const ctx = serviceCtx('job');
/** Longer than the suite: a request that ends, ends for another reason. */
const LONG = { timeoutMs: 600_000 };

/** User of connections without credentials. */
const permitting = (denied: { publish?: string[]; subscribe?: string[] }): string =>
  `no_auth_user: all
authorization { users: [ { user: all, password: all, permissions: {
  publish: { allow: [">"], deny: ${JSON.stringify(denied.publish ?? [])} }
  subscribe: { allow: [">"], deny: ${JSON.stringify(denied.subscribe ?? [])} }
} } ] }`;

let nats: NatsProcess;
let server: Peer;
let caller: Peer;

beforeAll(async () => {
  nats = await NatsProcess.start(permitting({}));
  server = await startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Server] });
  caller = await startPeer({ service: 'job', natsUrl: nats.url, keys });
});

afterEach(() => {
  nats.authorize(permitting({}));
});

afterAll(async () => {
  for (const letGo of waiting) letGo();
  await caller.stop();
  await server.stop();
  await nats.remove();
});

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: unknown) => (error as { code: string }).code,
  );

const echo = (text: string): Promise<string> =>
  caller.bus.call(Calls.echo, ctx, { text }, LONG).then((reply) => reply.text);

/** While permissions change a call may be lost; the next one decides. */
const probe = (): Promise<string> => codeOf(caller.bus.call(Calls.echo, ctx, { text: 'x' }, { timeoutMs: 2_000 }));

/** A call that its server has received and does not answer. */
async function underWay(peer: Peer): Promise<{ end: Promise<string> }> {
  const before = waiting.length;
  const end = codeOf(peer.bus.call(Calls.hold, ctx, { text: '' }, LONG));
  await until(() => waiting.length > before);
  return { end };
}

describe('of many calls at once', () => {
  test('each gets its own answer, however large or late the others are', async () => {
    const texts = Array.from({ length: 2_000 }, (_, at) => (at % 500 === 7 ? `${at}`.padEnd(1_200_000) : `${at}`));
    const late = codeOf(caller.bus.call(Calls.hold, ctx, { text: '' }, { timeoutMs: 50 }));
    expect(await Promise.all(texts.map(echo))).toEqual(texts);
    expect(await late).toBe('TIMEOUT');
  });
});

describe('a call that NATS does not let be sent', () => {
  test('fails at once, and no other with it', async () => {
    const other = await underWay(caller);
    nats.authorize(permitting({ publish: [natsSubject(Calls.echo), natsSubject(Calls.hold)] }));
    await until(async () => (await probe()) === 'SERVICE_UNAVAILABLE');
    // NATS names the subject, not the call: the earlier call is in flight, and is answered.
    expect(await codeOf(caller.bus.call(Calls.hold, ctx, { text: '' }, LONG))).toBe('SERVICE_UNAVAILABLE');
    expect(await codeOf(caller.bus.call(Calls.refuse, ctx, { text: '' }, LONG))).toBe('CONFLICT');
    nats.authorize(permitting({}));
    await until(async () => (await probe()) === 'answered');
    waiting.at(-1)?.();
    expect(await other.end).toBe('answered');
  });
});

describe('a process that NATS does not let hear its answers', () => {
  test('says so, fails at once what is under way and what comes, and goes on when it may', async () => {
    const pending = await underWay(caller);
    nats.authorize(permitting({ subscribe: ['_INBOX_job.>'] }));
    expect(await pending.end).toBe('SERVICE_UNAVAILABLE');
    expect(caller.link.subscriptions.refused.some((subject) => subject.startsWith('_INBOX_job.'))).toBe(true);
    expect(await codeOf(echo('x'))).toBe('SERVICE_UNAVAILABLE');
    nats.authorize(permitting({}));
    await until(async () => (await probe()) === 'answered', { timeoutMs: 60_000 });
    await until(() => caller.link.subscriptions.refused.length === 0, { timeoutMs: 60_000 });
  });
});

describe('a process that leaves', () => {
  test('ends the calls that have no answer', async () => {
    const leaving = await startPeer({ service: 'job', natsUrl: nats.url, keys });
    const pending = await underWay(leaving);
    await leaving.stop();
    expect(await pending.end).toBe('TIMEOUT');
  });

  test('sends nothing whose answer it could not hear', async () => {
    const leaving = await startPeer({ service: 'job', natsUrl: nats.url, keys });
    const before = waiting.length;
    void leaving.link.nc.drain();
    expect(await codeOf(leaving.bus.call(Calls.hold, ctx, { text: '' }, LONG))).toBe('SERVICE_UNAVAILABLE');
    await leaving.link.nc.closed();
    await leaving.stop();
    expect(waiting).toHaveLength(before);
  });
});

describe('an answer with headers that are none', () => {
  test('ends its call, and no other', async () => {
    const stranger = createConnection(Number(new URL(nats.url).port), '127.0.0.1');
    stranger.write('CONNECT {"verbose":false,"headers":true,"user":"all","pass":"all"}\r\n');
    stranger.write(`SUB ${natsSubject(Calls.nobody)} 1\r\nPING\r\n`);
    let received = '';
    stranger.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      const [, reply] = /(?:MSG|HMSG) \S+ 1 (_INBOX\S+)/.exec(received) ?? [];
      if (!reply) return;
      received = '';
      const head = 'NATS/1.0\r\nBad Key: x\r\n\r\n';
      stranger.write(`HPUB ${reply} ${head.length} ${head.length}\r\n${head}\r\n`);
    });
    await until(() => received.includes('PONG'));
    const other = echo('other');
    expect(await codeOf(caller.bus.call(Calls.nobody, ctx, { text: '' }, LONG))).not.toBe('answered');
    expect(await other).toBe('other');
    stranger.destroy();
  });
});
