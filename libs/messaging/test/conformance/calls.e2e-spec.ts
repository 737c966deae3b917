import { type CallContract, type Ctx, makeCtx, natsSubject, serviceCtx } from '@switchyard/contracts';
import { newId, sleep } from '@switchyard/kernel';
import { expectWithin, until } from '@switchyard/testing';
import { connect } from 'nats';
import { Calls, Signals, Streams } from './contracts';
import { Server, seen } from './handlers';
import { NatsProcess } from './nats-process';
import { Peer, makeKeys, startPeer } from './peer';

const keys = makeKeys(['task', 'job', 'agent']);
const ctx = serviceCtx('job');
let nats: NatsProcess;
let server: Peer;
let caller: Peer;

beforeAll(async () => {
  nats = await NatsProcess.start();
  server = await startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Server] });
  caller = await startPeer({ service: 'job', natsUrl: nats.url, keys });
});

afterAll(async () => {
  await caller.stop();
  await server.stop();
  await nats.remove();
});

const failure = async (work: Promise<unknown>): Promise<{ code: string; message: string }> => {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  );
  return error as { code: string; message: string };
};

describe('a call', () => {
  test('carries data there and back, and the identity with it', async () => {
    await expect(caller.bus.call(Calls.echo, ctx, { text: 'hello' })).resolves.toEqual({ text: 'hello' });
  });

  test('brings the answer as it was written, to who passes it on', async () => {
    await expect(caller.bus.callForJson(Calls.echo, ctx, { text: 'hé "}}' })).resolves.toEqual(
      Buffer.from('{"text":"hé \\"}}"}'),
    );
    await expect(failure(caller.bus.callForJson(Calls.refuse, ctx, { text: '' }))).resolves.toMatchObject({
      code: 'CONFLICT',
      message: 'Not twice.',
    });
  });

  test('throws here what was thrown there', async () => {
    await expect(failure(caller.bus.call(Calls.refuse, ctx, { text: '' }))).resolves.toMatchObject({
      code: 'CONFLICT',
      message: 'Not twice.',
      retryAfterSeconds: 3,
      details: [{ path: 'text', message: 'was there before' }],
    });
  });

  test('says nothing of what went wrong inside', async () => {
    const error = await failure(caller.bus.call(Calls.crash, ctx, { text: '' }));
    expect(error.code).toBe('SERVER_ERROR');
    expect(JSON.stringify(error)).not.toContain('secrets');
  });

  test('is refused before it is sent when it is not of its class', async () => {
    const before = seen.calls;
    expect((await failure(caller.bus.call(Calls.echo, ctx, { text: 1 } as never))).code).toBe('VALIDATION_ERROR');
    expect((await failure(caller.bus.call(Calls.echo, ctx, { text: 'a', more: 1 } as never))).code).toBe(
      'VALIDATION_ERROR',
    );
    expect(seen.calls).toBe(before);
  });

  test('ends at its deadline', async () => {
    expect((await failure(caller.bus.call(Calls.hang, ctx, { text: '' }, { timeoutMs: 200 }))).code).toBe('TIMEOUT');
    expect((await failure(caller.bus.call(Calls.echo, { ...ctx, deadline: Date.now() - 1 }, { text: '' }))).code).toBe(
      'TIMEOUT',
    );
  });

  test('is answered although its server stops as it arrives', async () => {
    for (let round = 0; round < 10; round += 1) {
      const replica = await startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Server] });
      const calls = Array.from({ length: 300 }, (_, at) =>
        caller.bus.call(Calls.echo, ctx, { text: `${round}-${at}` }, { timeoutMs: 10_000 }),
      );
      // NATS spreads the calls over both replicas, and one of them is stopped.
      const stopped = replica.stop();
      expect((await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')).toEqual([]);
      await stopped;
    }
  }, 120_000);

  test('brings the whole of a large reply although its server stops meanwhile', async () => {
    const replica = await startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Server] });
    const connection = await connect({ servers: nats.url });
    // A large reply is fetched in chunks from the process that made it.
    const reply = Buffer.alloc(4_000_000, 'x');
    const [subject = '', id = ''] = replica.parts.hold(reply, null).claim.split(' ');
    const stopped = replica.stop(60_000);
    let fetched = 0;
    for (let part = 0; fetched < reply.byteLength; part += 1) {
      const { data } = await connection.request(subject, `${id} ${part}`, { timeout: 5_000 });
      expect(data.byteLength).toBeGreaterThan(0);
      fetched += data.byteLength;
      // A slow reader: without the grace period, the process would have exited before the next chunk.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    await stopped;
    await connection.close();
  }, 120_000);

  test('fails at once if no process serves it', async () => {
    await expectWithin(1000, async () => {
      const started = Date.now();
      expect((await failure(caller.bus.call(Calls.nobody, ctx, { text: '' }))).code).toBe('SERVICE_UNAVAILABLE');
      return Date.now() - started;
    });
  });

  test('is refused to services that the contract does not name', async () => {
    expect((await failure(caller.bus.call(Calls.notForYou, ctx, { text: '' }))).code).toBe('FORBIDDEN');
  });

  test('is refused when its identity was not sealed by a service of ours', async () => {
    const stranger = await startPeer({
      service: 'job',
      natsUrl: nats.url,
      keys: { ...makeKeys(['task', 'job', 'agent']) },
    });
    const forged = makeCtx({ ...ctx, spaceId: null, role: 'OWNER', scopes: ['*'] });
    expect((await failure(stranger.bus.call(Calls.echo, forged, { text: '' }))).code).toBe('FORBIDDEN');
    await stranger.stop();
  });

  test('carries payloads far over the limit of one message, both ways', async () => {
    const text = 'ab€'.repeat(2_500_000);
    const reply = await caller.bus.call(Calls.echo, ctx, { text });
    expect(reply.text === text).toBe(true);
  });

  test('holds nothing of a large request or reply once it was answered', async () => {
    const text = 'x'.repeat(3_000_000);
    const calls = Array.from({ length: 5 }, () => caller.bus.call(Calls.echo, ctx, { text }));
    await Promise.all(calls);
    expect(caller.parts.usage.used).toBe(0);
    expect(server.parts.usage.used).toBe(0);
    const timedOut = caller.bus.call(Calls.hang, ctx, { text }, { timeoutMs: 300 });
    expect((await failure(timedOut)).code).toBe('TIMEOUT');
    expect(caller.parts.usage.used).toBe(0);
  });

  test('finds room for its large request, answer and frames although another Space holds all that it may', async () => {
    const replica = await startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Server] });
    const loud = makeCtx({ ...ctx, spaceId: newId() });
    const other = makeCtx({ ...ctx, spaceId: newId() });
    const piece = new Uint8Array(16 * 1024 * 1024);
    const fill = ({ parts }: Peer): void => {
      let remaining = Math.floor((parts.usage.limit * 2) / 3);
      for (; remaining > 0; remaining -= piece.byteLength) parts.hold(piece.subarray(0, remaining), loud.spaceId);
    };
    const refused = { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('of your Space') as string };
    const bytesOf = async (as: Ctx): Promise<number> => {
      let total = 0;
      const read = await filled.bus.stream(Streams.bytes, as, { count: 2, bytes: 1_500_000 });
      for await (const { byteLength } of read) total += byteLength;
      return total;
    };
    await server.stop();
    const filled = await startPeer({ service: 'job', natsUrl: nats.url, keys });
    fill(replica);
    const answer = { count: 12_000_000 };
    expect(await failure(filled.bus.call(Calls.large, loud, answer))).toMatchObject(refused);
    expect((await filled.bus.call(Calls.large, other, answer)).text).toHaveLength(answer.count);
    expect(await failure(bytesOf(loud))).toMatchObject(refused);
    expect(await bytesOf(other)).toBe(3_000_000);
    fill(filled);
    const text = 'x'.repeat(12_000_000);
    expect(await failure(filled.bus.call(Calls.echo, loud, { text }))).toMatchObject(refused);
    expect((await filled.bus.call(Calls.echo, other, { text })).text).toHaveLength(text.length);
    for (const peer of [filled, replica]) expect(peer.parts.usage.refused).toBeGreaterThan(0);
    server = await startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Server] });
    await Promise.all([filled.stop(0), replica.stop(0)]);
  });

  test('whose answer is too large to be carried is an error, and the server goes on', async () => {
    const error = await failure(caller.bus.call(Calls.large, ctx, { count: 17 * 1024 * 1024 }));
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message: 'The answer is larger than 16 MiB.' });
    expect((await failure(caller.bus.call(Calls.unpackable, ctx, { text: '' }))).code).toBe('SERVER_ERROR');
    expect((await caller.bus.call(Calls.large, ctx, { count: 5_000_000 })).text).toHaveLength(5_000_000);
  });

  test('that is refused with more details than can be carried is refused without them', async () => {
    const error = await failure(caller.bus.call(Calls.refuseAtLength, ctx, { text: '' }));
    expect(error).toMatchObject({ code: 'CONFLICT', message: 'At length.' });
    expect((await failure(caller.bus.stream(Streams.refused, ctx, { count: 1 }))).code).toBe('CONFLICT');
  });

  test('goes on after the server was restarted, and fails fast while it is away', async () => {
    await nats.kill();
    await until(() => !caller.link.isUp);
    await expectWithin(1000, async () => {
      const started = Date.now();
      expect((await failure(caller.bus.call(Calls.echo, ctx, { text: 'x' }))).code).toBe('SERVICE_UNAVAILABLE');
      return Date.now() - started;
    });
    await nats.start();
    await until(async () => (await caller.bus.call(Calls.echo, ctx, { text: 'back' })).text === 'back');
  });

  test('survives a server that stands still for a while', async () => {
    nats.pause();
    const failed = failure(caller.bus.call(Calls.echo, ctx, { text: 'x' }, { timeoutMs: 300 }));
    await failed.finally(() => {
      nats.resume();
    });
    expect((await failed).code).toBe('TIMEOUT');
    await until(async () => (await caller.bus.call(Calls.echo, ctx, { text: 'back' })).text === 'back');
  });
});

describe('a message that was listened to', () => {
  const spaces = { mine: '11111111-1111-4111-8111-111111111111', theirs: '22222222-2222-4222-8222-222222222222' };

  /** Records a call, and replays bytes under a subject. */
  async function overheard() {
    const connection = await connect({ servers: nats.url });
    const spy = connection.subscribe(natsSubject(Calls.echo), { max: 1 });
    const received = (async () => {
      for await (const message of spy) return Buffer.from(message.data);
      throw new Error('nothing was heard');
    })();
    await connection.flush();
    await caller.bus.call(Calls.echo, makeCtx({ ...ctx, spaceId: spaces.mine }), { text: 'hello' });
    const send = async (contract: CallContract, bytes: Buffer): Promise<unknown> =>
      JSON.parse((await connection.request(natsSubject(contract), bytes, { timeout: 5_000 })).string());
    return { message: await received, send, end: () => connection.drain() };
  }

  test('fits its own subject with its own payload, and no other subject, payload or Space', async () => {
    const { message, send, end } = await overheard();
    const changed = (from: string, to: string): Buffer => {
      expect(message.toString()).toContain(from);
      return Buffer.from(message.toString().replace(from, to));
    };
    const refused = { error: { code: 'FORBIDDEN' } };
    expect(await send(Calls.echo, message)).toMatchObject({ data: { text: 'hello' } });
    expect(await send(Calls.refuse, message)).toMatchObject(refused);
    expect(await send(Calls.refuse, changed('task.echo', 'task.refuse'))).toMatchObject(refused);
    expect(await send(Calls.echo, changed('hello', 'howdy'))).toMatchObject(refused);
    expect(await send(Calls.echo, changed(spaces.mine, spaces.theirs))).toMatchObject(refused);
    await end();
  });
});

describe('a signal', () => {
  test('reaches every hearer', async () => {
    const before = seen.wakes;
    await until(() => {
      caller.bus.signal(Signals.wake, ctx, { text: 'up' });
      return seen.wakes > before;
    });
  });
});

describe('a stream', () => {
  test('gives every frame once, in order', async () => {
    const counts: number[] = [];
    for await (const { count } of await caller.bus.stream(Streams.numbers, ctx, { count: 1000 })) counts.push(count);
    expect(counts).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
  });

  test.each([1, 7, 100, 1000])(
    'gives those of batches of %i as it gives single ones, no faster than they are read',
    async (size) => {
      const counts: number[] = [];
      const request = { count: 1000, inBatchesOf: size };
      for await (const { count } of await caller.bus.stream(Streams.numbers, ctx, request)) {
        if (count % 100 === 0) await sleep(1);
        counts.push(count);
      }
      expect(counts).toEqual(Array.from({ length: 1000 - (1000 % size) }, (_, index) => index + 1));
      const before = { ...seen };
      for await (const { count } of await caller.bus.stream(Streams.numbers, ctx, { ...request, count: 1_000_000 }))
        if (count === 10) break;
      await until(() => seen.finished === before.finished + 1 && seen.aborted === before.aborted + 1);
      expect(seen.produced - before.produced).toBeLessThan(3000);
    },
  );

  test('fails with the first error before it opens', async () => {
    expect((await failure(caller.bus.stream(Streams.numbers, ctx, { count: 0 }))).code).toBe('NOT_FOUND');
    expect((await failure(caller.bus.stream(Streams.numbers, ctx, { count: -1 }))).code).toBe('VALIDATION_ERROR');
  });

  test('stops the generator when the reader leaves the loop', async () => {
    const before = { ...seen };
    for await (const { count } of await caller.bus.stream(Streams.numbers, ctx, { count: 1_000_000 }))
      if (count === 10) break;
    await until(() => seen.finished === before.finished + 1 && seen.aborted === before.aborted + 1);
    expect(seen.produced - before.produced).toBeLessThan(1000);
  });

  test('waits for a slow reader instead of filling memory', async () => {
    const before = seen.produced;
    const reader = await caller.bus.stream(Streams.numbers, ctx, { count: 100_000 });
    await until(() => seen.produced - before >= 60);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(seen.produced - before).toBeLessThan(200);
    reader.cancel();
  });

  test('carries frames larger than a message, in their place', async () => {
    const sizes: number[] = [];
    for await (const bytes of await caller.bus.stream(Streams.bytes, ctx, { count: 6, bytes: 1_500_000 })) {
      expect(bytes[0]).toBe(sizes.length);
      sizes.push(bytes.byteLength);
    }
    expect(sizes).toEqual(Array.from({ length: 6 }, () => 1_500_000));
  });

  test('runs beside many others over one connection', async () => {
    const totals = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        let total = 0;
        for await (const { count } of await caller.bus.stream(Streams.numbers, ctx, { count: 100 + index }))
          total = count;
        return total;
      }),
    );
    expect(totals).toEqual(Array.from({ length: 50 }, (_, index) => 100 + index));
  });

  test('never goes on with a hole: it breaks when the server was away', async () => {
    const reader = await caller.bus.stream(Streams.numbers, ctx, { count: 1_000_000 });
    const counts: number[] = [];
    const reading = (async () => {
      for await (const { count } of reader) {
        counts.push(count);
        if (count === 100) await nats.kill();
        if (count === 100) setTimeout(() => void nats.start(), 100);
      }
    })();
    expect((await failure(reading)).code).toBe('SERVICE_UNAVAILABLE');
    expect(counts).toEqual(Array.from({ length: counts.length }, (_, index) => index + 1));
    await until(async () => (await caller.bus.call(Calls.echo, ctx, { text: 'back' })).text === 'back');
  });
});

describe('a server that reads nothing any more', () => {
  const PIECE_BYTES = 512 * 1024;
  /** 30 MiB: more than the buffers of a connection take. */
  const PIECES = 60;

  afterAll(() => {
    nats.resume();
  });

  test('is left although what was to be sent still waits, and is connected to again once it reads', async () => {
    nats.pause();
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let sent = 0; sent < PIECES; sent += 1) caller.link.nc.publish('without.listeners', piece);
    await until(() => !caller.link.isAnswering, { timeoutMs: 30_000 });
    await until(() => !caller.link.isUp, { timeoutMs: 60_000 });
    nats.resume();
    const answered = (): Promise<boolean> =>
      caller.bus.call(Calls.echo, ctx, { text: 'there' }).then(
        ({ text }) => text === 'there',
        () => false,
      );
    await until(answered, { timeoutMs: 60_000 });
  }, 180_000);
});
