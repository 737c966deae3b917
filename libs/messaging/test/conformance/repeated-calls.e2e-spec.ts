import { Controller } from '@nestjs/common';
import { type Ctx, makeCtx, serviceCtx } from '@switchyard/contracts';
import { newId, sleep } from '@switchyard/kernel';
import { Handles } from '@switchyard/messaging';
import { until } from '@switchyard/testing';
import { Calls, type Text } from './contracts';
import { NatsProcess } from './nats-process';
import { type Peer, makeKeys, startPeer } from './peer';

/** Between fresh requests of steady traffic. */
const FRESH_EVERY_MS = 20;

const keys = makeKeys(['task', 'job', 'agent']);
let nats: NatsProcess;
let servers: Set<Peer>;
let callers: Peer[];
let deaths = 0;

/** A server. `good 20` is answered after 20 ms, `bad 20` ends the process after them; another one starts then. */
async function startServer(): Promise<void> {
  @Controller()
  class Deadly {
    @Handles(Calls.echo) async echo(data: Text): Promise<Text> {
      const [kind, ms] = data.text.split(' ');
      await sleep(Number(ms));
      if (kind === 'good') return data;
      await die();
      // Nothing answers from there.
      return new Promise(() => undefined);
    }
  }
  const server = await startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Deadly] });
  servers.add(server);
  const die = async (): Promise<void> => {
    if (!servers.delete(server)) return;
    deaths += 1;
    await server.link.nc.close();
    await startServer();
  };
}

/** Replicas that report to each other, and of which one at a time repeats a request. */
async function startCallers(): Promise<Peer[]> {
  const peers = await Promise.all([1, 2].map(() => startPeer({ service: 'job', natsUrl: nats.url, keys })));
  const repeated = new Map<string, Promise<void>>();
  for (const { bus } of peers) {
    bus.onUnanswered((call) => {
      for (const peer of peers) peer.bus.learnUnanswered(call);
    });
    bus.waitForReplicas(async (work) => {
      const before = repeated.get(work);
      let end = (): void => undefined;
      repeated.set(work, new Promise((resolve) => (end = resolve)));
      await before;
      return end;
    });
  }
  return peers;
}

beforeAll(async () => {
  nats = await NatsProcess.start();
});

beforeEach(async () => {
  deaths = 0;
  servers = new Set();
  callers = await startCallers();
});

afterEach(async () => {
  await Promise.all([...callers, ...servers].map((peer) => peer.stop()));
});

afterAll(() => nats.remove());

const ofSpace = (): Ctx => makeCtx({ ...serviceCtx('job'), spaceId: newId() });

/** One try; null if the request may be repeated. */
async function send(caller: Peer | undefined, ctx: Ctx, text: string, workId: string): Promise<string | null> {
  try {
    const answer = await caller?.bus.call(Calls.echo, ctx, { text }, { timeoutMs: 10_000, workId });
    return answer?.text ?? null;
  } catch (error) {
    return (error as { code?: string }).code === 'RUNTIME_UNAVAILABLE' ? 'given up' : null;
  }
}

/** Repeats the request while it may be repeated. */
async function ask(
  caller: Peer | undefined,
  text: string,
  { ctx = ofSpace(), workId = newId() } = {},
): Promise<string> {
  for (;;) {
    const answer = await send(caller, ctx, text, workId);
    if (answer !== null) return answer;
    await until(() => servers.size > 0);
  }
}

/** Fresh requests at both callers, repeated if they lose their process, until `end` is called: then all answers. */
function steadyTraffic(): { end: () => Promise<string[]> } {
  const answers: Promise<string>[] = [];
  const timer = setInterval(() => {
    answers.push(ask(callers[answers.length % 2], 'good 5'));
  }, FRESH_EVERY_MS);
  return {
    end: () => {
      clearInterval(timer);
      return Promise.all(answers);
    },
  };
}

const isGood = (answer: string): boolean => answer.startsWith('good');

test.each([1, 2])(
  'a request beside others ends two processes, and no other is given up, at %i callers',
  async (count) => {
    await startServer();
    const others = Array.from({ length: 6 }, (_, at) => ask(callers[at % count], `good ${200 * at}`));
    expect(await ask(callers[0], 'bad 50')).toBe('given up');
    expect((await Promise.all(others)).every(isGood)).toBe(true);
    expect(deaths).toBe(2);
  },
  60_000,
);

test.each([
  ['at once', 0, 1, [2]],
  // If the machine is so busy that the trial takes two seconds, fresh requests begin beside it and excuse one loss.
  ['at once, of two replicas', 0, 2, [2, 3]],
  ['after a second', 1_000, 1, [2]],
  // Fresh requests do not wait for longer.
  ['after three seconds', 3_000, 1, [3]],
])(
  'a request that ends its process %s does so beside steady traffic, and no other is given up',
  async (_, ms, replicas, expected) => {
    for (let replica = 0; replica < replicas; replica += 1) await startServer();
    const traffic = steadyTraffic();
    expect(await ask(callers[0], `bad ${ms}`)).toBe('given up');
    const answers = await traffic.end();
    expect(answers.every(isGood)).toBe(true);
    expect(expected).toContain(deaths);
  },
  60_000,
);

test('a request that ends its process after three seconds ends two without other traffic', async () => {
  await startServer();
  expect(await ask(callers[0], 'bad 3000')).toBe('given up');
  expect(deaths).toBe(2);
}, 60_000);

test('two requests that end their process end three together', async () => {
  await startServer();
  const answers = await Promise.all([ask(callers[0], 'bad 50'), ask(callers[1], 'bad 50')]);
  expect(answers).toEqual(['given up', 'given up']);
  expect(deaths).toBe(3);
}, 60_000);

test('a request that is repeated at two callers at once ends one more of two replicas', async () => {
  await startServer();
  await startServer();
  const work = { ctx: ofSpace(), workId: newId() };
  expect(await send(callers[0], work.ctx, 'bad 50', work.workId)).toBeNull();
  const answers = await Promise.all(callers.map((caller) => ask(caller, 'bad 50', work)));
  expect(answers).toEqual(['given up', 'given up']);
  expect(deaths).toBe(2);
}, 60_000);
