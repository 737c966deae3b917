import { Field, defineStream, f, serviceCtx } from '@switchyard/contracts';
import { newEd25519 } from '@switchyard/kernel';
import { SerializedRetries } from '../rpc/serialized-retries';
import { Others, RepeatedCallGuard } from '../transport/interrupted-calls';
import type { NatsConnectionManager } from '../transport/nats-connection-manager';
import type { ChunkedPayloads } from '../transport/chunked-payloads';
import { MessageSigner } from '../signing/message-signer';
import { Entry } from '../transport/frame-encoding';
import { FrameMultiplexer } from './frame-multiplexer';
import { StreamClient } from './stream-client';

jest.useFakeTimers();

class Count {
  @Field(f.int({ min: 0 })) count!: number;
}

const numbers = defineStream({
  subject: 'task.numbers',
  request: Count,
  frame: Count,
  access: 'internal',
  callers: ['job'],
  window: 64,
});

const REQUEST = { count: 1 };

interface ReceivedMessage {
  subject: string;
  data?: Uint8Array;
  headers?: { code: number };
}

/** A client whose connection the test controls. */
function aClient() {
  let instance = 1;
  const server = (): string => `ctl.task.${instance}`;
  const subscriptions = new Map<string, (message: ReceivedMessage) => void>();
  const sent: { subject: string; reply?: string }[] = [];
  const link = {
    isUp: true,
    isSettled: () => true,
    maxPayload: 1_000_000,
    options: { service: 'job', instance: 'me', log: { error: () => undefined } },
    onDown: () => undefined,
    subscriptions: {
      add: (subject: string, { callback }: { callback: (error: null, message: ReceivedMessage) => void }) =>
        subscriptions.set(subject, (message) => callback(null, message)),
    },
    nc: { publish: (subject: string, _: unknown, options?: { reply?: string }) => sent.push({ subject, ...options }) },
  };
  const chunkedPayloads = {
    pack: (payload: Buffer) => ({ payload, headers: undefined, release: () => undefined }),
  } as unknown as ChunkedPayloads;
  const keys = newEd25519();
  const encrypter = new MessageSigner('job', keys.privateKey, { job: keys.publicKey, task: keys.publicKey });
  const client = new StreamClient(
    link as unknown as NatsConnectionManager,
    chunkedPayloads,
    encrypter,
    new RepeatedCallGuard(),
    new SerializedRetries(),
  );
  client.serve();
  const inbox = [...subscriptions.keys()][0]?.replace(/\.mux$/, '') ?? '';
  const batch = async (stream: string, others: number): Promise<Uint8Array> => {
    let written: Uint8Array = Buffer.alloc(0);
    const own = {
      isUp: true,
      maxPayload: 1_000_000,
      nc: { publish: (_: string, data: Uint8Array) => (written = data) },
    };
    const multiplexer = new FrameMultiplexer(own as unknown as NatsConnectionManager, 'reader');
    multiplexer.add({ stream, kind: Entry.open, count: 0, payload: Buffer.from(server()) });
    multiplexer.add({ stream, kind: Entry.others, count: 0, payload: Buffer.from(String(others)) });
    multiplexer.flush();
    await jest.advanceTimersByTimeAsync(0);
    return written;
  };
  const requests = () => sent.filter(({ reply }) => reply?.includes('.reply.'));
  /** Requests a stream from a process that acknowledges it and then stays silent. */
  const ask = async (requestId = 'the-same', others: number = Others.none): Promise<{ code: string }> => {
    const before = requests().length;
    const failure = client.open(numbers, { ...serviceCtx('job'), requestId }, REQUEST).then(
      () => ({ code: 'begun' }),
      (error: unknown) => error as { code: string },
    );
    await jest.advanceTimersByTimeAsync(0);
    const request = requests()[before];
    if (!request) return Promise.race([failure, Promise.resolve({ code: 'waits' })]);
    await acknowledge(request, others);
    return failure;
  };
  const acknowledge = async ({ reply }: { reply?: string }, others: number = Others.none): Promise<void> => {
    subscriptions.get(`${inbox}.mux`)?.({ subject: '', data: await batch(reply?.split('.').at(-1) ?? '', others) });
    await jest.advanceTimersByTimeAsync(10_000);
  };
  const look = (message: Partial<ReceivedMessage> = {}): void =>
    subscriptions.get(`${inbox}.gone.>`)?.({ subject: `${inbox}.gone.${server()}`, ...message });
  /** The process ends, and the next one begins. */
  const end = (): void => {
    look({ headers: { code: 503 } });
    instance += 1;
  };
  const looks = (): number => sent.filter(({ reply }) => reply?.includes('.gone.')).length;
  return { ask, acknowledge, requests, look, looks, end, link };
}

describe('a stream that did not begin in time', () => {
  it('is given up when its process ended afterwards, twice', async () => {
    const { ask, end, looks } = aClient();
    for (let times = 0; times < 2; times += 1) {
      expect((await ask()).code).toBe('SERVICE_UNAVAILABLE');
      const before = looks();
      await jest.advanceTimersByTimeAsync(5_000);
      expect(looks()).toBeGreaterThan(before);
      end();
    }
    expect((await ask()).code).toBe('RUNTIME_UNAVAILABLE');
  });

  it('is no loss where its process answers again and ends later', async () => {
    const { ask, look, end } = aClient();
    for (let times = 0; times < 3; times += 1) {
      expect((await ask()).code).toBe('SERVICE_UNAVAILABLE');
      look();
      end();
    }
  });

  it.each([
    ['that began later, once', Others.joined, 3],
    ['that ran from the beginning, seven times', Others.always, 9],
  ])('is protected by requests %s', async (_, others, deaths) => {
    const { ask, end } = aClient();
    let times = 0;
    while ((await ask('the-same', others)).code === 'SERVICE_UNAVAILABLE') {
      times += 1;
      end();
    }
    expect(times).toBe(deaths);
  });

  it('is no loss of this one where the link was broken just before', async () => {
    const { ask, end, link } = aClient();
    link.isSettled = () => false;
    for (let times = 0; times < 3; times += 1) {
      expect((await ask()).code).toBe('SERVICE_UNAVAILABLE');
      end();
    }
  });

  it('is asked for again while no other one may end its process, so that only one is given up', async () => {
    const { ask, acknowledge, requests, look, end } = aClient();
    const codes = [await ask('one'), await ask('two')].map(({ code }) => code);
    end();
    codes.push((await ask('one')).code, (await ask('two')).code);
    expect(codes).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'waits']);
    const before = requests().length;
    end();
    await jest.advanceTimersByTimeAsync(0);
    const second = requests()[before];
    expect(requests()).toHaveLength(before + 1);
    expect((await ask('one')).code).toBe('RUNTIME_UNAVAILABLE');
    await acknowledge(second ?? {});
    // Its process answers: the next one may be sent.
    look();
    expect((await ask('two')).code).toBe('SERVICE_UNAVAILABLE');
  });
});
