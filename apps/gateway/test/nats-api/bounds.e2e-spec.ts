import { until } from '@switchyard/testing';
import { type NatsAccount, type NatsAnswer, answerOf, closeConnections } from './nats-account';
import { OwnServer } from './own-server';

const server = new OwnServer();
const SIX = ['one', 'one', 'one', 'one', 'one', 'other'];

let accounts: NatsAccount[];
let waiting: (() => void)[] = [];

const untilReleased = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
const release = (): void => {
  for (const resolve of waiting.splice(0)) resolve();
};

beforeAll(async () => {
  await server.start(SIX.length);
  server.routes.get('/api/auth/me', async () => {
    await untilReleased();
    return { data: { space: null, role: null, credential: { scopes: [] } } };
  });
  // Before the body is read.
  server.routes.post('/api/agent-jobs', { onRequest: untilReleased }, () => ({ success: true }));
  server.routes.post('/api/tasks/:id/execute', async (request, reply) => {
    const { bytes } = request.body as { bytes: number };
    await reply.status(201).header('etag', '"1"').send('x'.repeat(bytes));
  });
  server.routes.get('/api/tasks/executions/:id', () => 'x'.repeat(2_000_000));
  accounts = await server.serve(SIX);
});

beforeEach(() => {
  waiting = [];
});

afterAll(async () => {
  await closeConnections();
  await server.stop();
});

/** Sends so many requests, and collects the answers as they come. */
async function send(account: NatsAccount, operation: string, count: number, body = ''): Promise<NatsAnswer[]> {
  const answers: NatsAnswer[] = [];
  const inbox = account.inbox();
  account.nats.subscribe(`${inbox}.*`, { callback: (_, message) => answers.push(answerOf(message)) });
  for (let at = 0; at < count; at += 1) {
    account.nats.publish(account.subject(operation), body, { reply: `${inbox}.${at}` });
    if (body.length > 0) await account.nats.flush();
  }
  await account.nats.flush();
  return answers;
}

const of = (answers: readonly NatsAnswer[], status: number): NatsAnswer[] =>
  answers.filter((answer) => answer.status === status);

describe('requests in flight', () => {
  it('are 256 of an account, and others of the Space are served', async () => {
    const [first, second] = accounts as [NatsAccount, NatsAccount];
    const answers = await send(first, 'ping', 260);
    const others = await send(second, 'ping', 1);
    await until(() => waiting.length === 257 && answers.length === 4);
    expect(of(answers, 429)).toHaveLength(4);
    expect(answers[0]).toMatchObject({
      body: { success: false, code: 'RATE_LIMITED', message: expect.stringMatching(/^An account .*256/) },
      headers: { 'Retry-After': '1', 'Nats-Service-Error-Code': '429' },
    });
    release();
    await until(() => answers.length === 260 && others.length === 1);
    expect([of(answers, 200).length, of(others, 200).length]).toEqual([256, 1]);
  });

  it('are 1,024 of a Space, and those of another Space are served', async () => {
    const other = accounts.at(-1) as NatsAccount;
    const all = await Promise.all(accounts.slice(0, 5).map((account) => send(account, 'ping', 210)));
    const answers = (): NatsAnswer[] => all.flat();
    await until(() => waiting.length === 1_024 && answers().length === 26);
    const theirs = await send(other, 'ping', 1);
    await until(() => waiting.length === 1_025);
    expect(new Set(answers().map(({ status, body }) => `${status} ${body.message}`))).toEqual(
      new Set([expect.stringMatching(/^429 The accounts of a Space .*1024/)]),
    );
    release();
    await until(() => answers().length === 1_050 && theirs.length === 1);
    expect([of(answers(), 200).length, of(theirs, 200).length]).toEqual([1_024, 1]);
    // Each place is free again.
    const again = await send(other, 'ping', 1);
    await until(() => waiting.length === 1);
    release();
    await until(() => of(again, 200).length === 1);
  });
});

describe('bytes of bodies that no route has read', () => {
  it('are 32 MiB of an account, and those of others are read', async () => {
    const [account, second] = accounts as [NatsAccount, NatsAccount];
    const body = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    const answers = await send(account, 'jobs.submit', 35, body);
    await until(() => answers.length === 2);
    const theirs = await send(second, 'jobs.submit', 1, body);
    await until(() => waiting.length === 34);
    expect(answers).toMatchObject(
      [0, 1].map(() => ({ status: 429, body: { code: 'RATE_LIMITED', message: expect.stringMatching(/bytes/) } })),
    );
    release();
    await until(() => of(answers, 200).length === 33 && of(theirs, 200).length === 1);
    const again = await send(account, 'jobs.submit', 33, body);
    await until(() => waiting.length === 33);
    release();
    await until(() => of(again, 200).length === 33);
  });
});

describe('an answer that is larger than a message', () => {
  it('of a write has its status and no body, and says how large it is', async () => {
    const [account] = accounts as [NatsAccount];
    const answer = await account.request('tasks.t.execute', { bytes: 1_500_000 });
    expect(answer).toMatchObject({ status: 201, text: '' });
    expect(answer.headers).toMatchObject({ 'Switchyard-Body-Omitted': '1500000', ETag: '"1"' });
    expect(answer.headers).not.toHaveProperty('Nats-Service-Error');
    const fits = await account.request('tasks.t.execute', { bytes: 1_000_000 });
    expect([fits.status, fits.text.length]).toEqual([201, 1_000_000]);
    expect(fits.headers).not.toHaveProperty('Switchyard-Body-Omitted');
  });

  it('of a read is 413', async () => {
    const [account] = accounts as [NatsAccount];
    expect(await account.request('executions.e.get')).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', message: expect.stringMatching(/2000000 bytes/) },
    });
  });
});
