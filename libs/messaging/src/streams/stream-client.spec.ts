import { Field, defineStream, f, serviceCtx } from '@switchyard/contracts';
import { newEd25519 } from '@switchyard/kernel';
import { RepeatedCallGuard } from '../transport/lost-calls';
import type { NatsLink } from '../transport/nats-link';
import type { Parts } from '../transport/parts';
import { Sealer } from '../signing/seal';
import { Entry } from '../transport/frames-wire';
import { Mux } from './mux';
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

const SERVER = 'ctl.task.one';
const REQUEST = { count: 1 };

interface ReceivedMessage {
  subject: string;
  data?: Uint8Array;
  headers?: { code: number };
}

/** A client whose connection the test controls. */
function aClient() {
  const subscriptions = new Map<string, (message: ReceivedMessage) => void>();
  const sent: { subject: string; reply?: string }[] = [];
  const link = {
    isUp: true,
    maxPayload: 1_000_000,
    options: { service: 'job', instance: 'me', log: { error: () => undefined } },
    onDown: () => undefined,
    subscriptions: {
      add: (subject: string, { callback }: { callback: (error: null, message: ReceivedMessage) => void }) =>
        subscriptions.set(subject, (message) => callback(null, message)),
    },
    nc: { publish: (subject: string, _: unknown, options?: { reply?: string }) => sent.push({ subject, ...options }) },
  } as unknown as NatsLink;
  const parts = {
    pack: (payload: Buffer) => ({ payload, headers: undefined, release: () => undefined }),
  } as unknown as Parts;
  const keys = newEd25519();
  const sealer = new Sealer('job', keys.privateKey, { job: keys.publicKey, task: keys.publicKey });
  const client = new StreamClient(link, parts, sealer, new RepeatedCallGuard());
  client.serve();
  const inbox = [...subscriptions.keys()][0]?.replace(/\.mux$/, '') ?? '';
  const batch = async (stream: string): Promise<Uint8Array> => {
    let written: Uint8Array = Buffer.alloc(0);
    const own = {
      isUp: true,
      maxPayload: 1_000_000,
      nc: { publish: (_: string, data: Uint8Array) => (written = data) },
    };
    const mux = new Mux(own as unknown as NatsLink, 'reader');
    mux.add({ stream, kind: Entry.open, count: 0, payload: Buffer.from(SERVER) });
    mux.flush();
    await jest.advanceTimersByTimeAsync(0);
    return written;
  };
  /** Requests a stream from a process that acknowledges it and then stays silent. */
  const ask = async (requestId = 'the-same'): Promise<{ code: string }> => {
    const before = sent.length;
    const failure = client.open(numbers, { ...serviceCtx('job'), requestId }, REQUEST).then(
      () => ({ code: 'begun' }),
      (error: unknown) => error as { code: string },
    );
    await jest.advanceTimersByTimeAsync(0);
    const request = sent.slice(before).find(({ reply }) => reply?.includes('.reply.'));
    if (request) {
      const stream = request.reply?.split('.').at(-1) ?? '';
      subscriptions.get(`${inbox}.mux`)?.({ subject: '', data: await batch(stream) });
      await jest.advanceTimersByTimeAsync(10_000);
    }
    return failure;
  };
  const look = (message: Partial<ReceivedMessage> = {}): void =>
    subscriptions.get(`${inbox}.gone.>`)?.({ subject: `${inbox}.gone.${SERVER}`, ...message });
  const looks = (): number => sent.filter(({ reply }) => reply?.includes('.gone.')).length;
  return { ask, look, looks };
}

const NO_RESPONDERS = { headers: { code: 503 } };

describe('a stream that did not begin in time', () => {
  it('is given up when its process ended afterwards, twice', async () => {
    const { ask, look, looks } = aClient();
    for (let times = 0; times < 2; times += 1) {
      expect((await ask()).code).toBe('SERVICE_UNAVAILABLE');
      const before = looks();
      await jest.advanceTimersByTimeAsync(5_000);
      expect(looks()).toBeGreaterThan(before);
      look(NO_RESPONDERS);
    }
    expect((await ask()).code).toBe('RUNTIME_UNAVAILABLE');
  });

  it('is no loss where its process answers again and ends later', async () => {
    const { ask, look } = aClient();
    for (let times = 0; times < 3; times += 1) {
      expect((await ask()).code).toBe('SERVICE_UNAVAILABLE');
      look();
      look(NO_RESPONDERS);
    }
  });

  it('is not given up if another one that was lost before was with its process as well, until that was so too often', async () => {
    const { ask, look } = aClient();
    const codes: string[] = [];
    for (let times = 0; times < 6; times += 1) {
      codes.push((await ask('one')).code, (await ask('two')).code);
      look(NO_RESPONDERS);
    }
    const again = Array.from({ length: 10 }, () => 'SERVICE_UNAVAILABLE');
    expect(codes).toEqual([...again, 'RUNTIME_UNAVAILABLE', 'RUNTIME_UNAVAILABLE']);
  });
});
