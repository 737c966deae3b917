import { natsSubject, serviceCtx } from '@switchyard/contracts';
import { until } from '@switchyard/testing';
import { Calls } from './contracts';
import { Server, held } from './handlers';
import { NatsProcess } from './nats-process';
import { Peer, makeKeys, startPeer } from './peer';

const keys = makeKeys(['task', 'job', 'agent']);
const ctx = serviceCtx('job');
/** Far longer than anything here takes: what ends, ends for another reason. */
const LONG = { timeoutMs: 600_000 };

/** Whoever shows no credential is this user. */
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
  for (const letGo of held) letGo();
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

/** A call that its server has, and does not answer. */
async function underWay(peer: Peer): Promise<{ end: Promise<string> }> {
  const before = held.length;
  const end = codeOf(peer.bus.call(Calls.hold, ctx, { text: '' }, LONG));
  await until(() => held.length > before);
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
    nats.authorize(permitting({ publish: [natsSubject(Calls.echo)] }));
    await until(async () => (await codeOf(echo('x'))) === 'SERVICE_UNAVAILABLE');
    expect(await codeOf(caller.bus.call(Calls.refuse, ctx, { text: '' }, LONG))).toBe('CONFLICT');
    nats.authorize(permitting({}));
    await until(async () => (await codeOf(echo('x'))) === 'answered');
    held.at(-1)?.();
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
    await until(async () => (await codeOf(echo('x'))) === 'answered', { timeoutMs: 60_000 });
    await until(() => caller.link.subscriptions.refused.length === 0, { timeoutMs: 60_000 });
  });
});

describe('a process that leaves', () => {
  test('ends the calls that nobody has answered', async () => {
    const leaving = await startPeer({ service: 'job', natsUrl: nats.url, keys });
    const pending = await underWay(leaving);
    await leaving.stop();
    expect(await pending.end).toBe('TIMEOUT');
  });
});
