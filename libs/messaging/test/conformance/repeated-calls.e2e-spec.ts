import { Controller } from '@nestjs/common';
import { type Ctx, makeCtx, serviceCtx } from '@switchyard/contracts';
import { newId, sleep, waitUntil } from '@switchyard/kernel';
import { Handles } from '@switchyard/messaging';
import { Calls, type Text } from './contracts';
import { NatsProcess } from './nats-process';
import { type Peer, makeKeys, startPeer } from './peer';

const keys = makeKeys(['task', 'job', 'agent']);
let nats: NatsProcess;
let server: Peer | undefined;
let callers: Peer[];
let deaths = 0;
let isGoodHere = false;

/** Bad work ends the process, and waits a moment for good work to end with it. */
@Controller()
class Deadly {
  @Handles(Calls.echo) async echo(data: Text): Promise<Text> {
    const own = server;
    if (data.text === 'good') {
      isGoodHere = true;
      await sleep(800);
      isGoodHere = false;
      return data;
    }
    await waitUntil(() => isGoodHere, 500, 5);
    if (own !== server) return data;
    server = undefined;
    deaths += 1;
    await own?.link.nc.close();
    // Nothing answers from there.
    await new Promise(() => undefined);
    return data;
  }
}

let starting: Promise<void> | undefined;
const next = (): Promise<void> =>
  (starting ??= startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Deadly] }).then((peer) => {
    server = peer;
    starting = undefined;
  }));

/** Replicas that report to each other, and of whose trials one runs at a time. */
async function startCallers(): Promise<Peer[]> {
  const peers = await Promise.all([1, 2].map(() => startPeer({ service: 'job', natsUrl: nats.url, keys })));
  let tail = Promise.resolve();
  for (const { bus } of peers) {
    bus.onUnanswered((call) => {
      for (const peer of peers) peer.bus.learnUnanswered(call);
    });
    bus.waitForReplicas(async () => {
      const before = tail;
      let go = (): void => undefined;
      tail = new Promise((resolve) => (go = resolve));
      await before;
      return go;
    });
  }
  return peers;
}

beforeAll(async () => {
  nats = await NatsProcess.start();
});

beforeEach(async () => {
  deaths = 0;
  callers = await startCallers();
  await next();
});

afterEach(async () => {
  await Promise.all([...callers, ...(server ? [server] : [])].map((peer) => peer.stop()));
});

afterAll(() => nats.remove());

/** Repeats the call while it may be repeated. */
async function ask(caller: Peer | undefined, ctx: Ctx, text: string): Promise<unknown> {
  const workId = newId();
  for (;;) {
    try {
      return await caller?.bus.call(Calls.echo, ctx, { text }, { timeoutMs: 2_500, workId });
    } catch (error) {
      if ((error as { code?: string }).code === 'RUNTIME_UNAVAILABLE') return 'given up';
      if (!server) await next();
    }
  }
}

const twoSpaces = (): [Ctx, Ctx] => {
  const ofSpace = (): Ctx => makeCtx({ ...serviceCtx('job'), spaceId: newId() });
  return [ofSpace(), ofSpace()];
};

test.each([
  ['two replicas', 1],
  ['one replica', 0],
])(
  'of two requests that lost their process together, the one is given up that ends it, at %s',
  async (_, at) => {
    const [bad, good] = twoSpaces();
    const answers = await Promise.all([ask(callers[0], bad, 'bad'), ask(callers[at], good, 'good')]);
    expect(answers).toEqual(['given up', { text: 'good' }]);
    expect(deaths).toBe(3);
  },
  60_000,
);

test('two requests that end their process do not protect each other for long', async () => {
  const [one, two] = twoSpaces();
  const answers = await Promise.all([ask(callers[0], one, 'bad'), ask(callers[1], two, 'bad')]);
  expect(answers).toEqual(['given up', 'given up']);
  expect(deaths).toBe(4);
}, 60_000);
