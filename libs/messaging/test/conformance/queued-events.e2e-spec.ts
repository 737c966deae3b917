import { serviceCtx } from '@switchyard/contracts';
import { type OutboxStore, AcknowledgedEventPurge } from '@switchyard/messaging';
import { AdminDatabase, until, usePlatform } from '@switchyard/testing';
import { type JetStreamManager, type StreamInfo, connect } from 'nats';
import { Events } from './contracts';
import { Consumer, script } from './handlers';
import { NatsProcess } from './nats-process';
import { Peer, PeerOptions, makeDatabase, makeKeys, quiet, startPeer } from './peer';

const platform = usePlatform();
const keys = makeKeys(['task', 'job']);
const ctx = serviceCtx('task');
const WHOLE = 1024 * 1024 * 1024;
let nats: NatsProcess;
let urls: Record<string, string>;
let drop: () => Promise<void>;
let source: Peer;
let consumer: Peer;

const startSource = (extra: Partial<PeerOptions> = {}): Promise<Peer> =>
  startPeer({ service: 'task', natsUrl: nats.url, keys, databaseUrl: urls['task'], ...extra });
const startConsumer = (extra: Partial<PeerOptions> = {}): Promise<Peer> =>
  startPeer({ service: 'job', natsUrl: nats.url, keys, databaseUrl: urls['job'], controllers: [Consumer], ...extra });

beforeAll(async () => {
  nats = await NatsProcess.start();
  ({ urls, drop } = await makeDatabase(platform.state.databaseUrl, ['task', 'job']));
  const admin = new AdminDatabase(() => {
    const url = new URL(platform.state.databaseUrl);
    url.pathname = new URL(urls['job'] ?? '').pathname;
    return url.href;
  });
  await admin.query('create table job.effects (key text not null, number int not null)');
  await admin.close();
});

afterAll(async () => {
  await nats.remove();
  await drop();
});

beforeEach(async () => {
  script.order.length = 0;
  source = await startSource();
  consumer = await startConsumer();
});

afterEach(async () => {
  await consumer.stop();
  await source.stop();
});

const numbers = Array.from({ length: 12 }, (_, number) => number);

/** More than a transaction keeps in memory, so they are queued, in order. */
const announceMuch = (key: string): Promise<void> =>
  source.database.system('announce much', async (tx) => {
    const filler = 'x'.repeat(500_000);
    for (const number of numbers) await tx.announce(Events.happened, ctx, { key, number, filler }, { orderKey: key });
  });

async function manage<T>(work: (jsm: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: nats.url });
  try {
    return await work(await connection.jetstreamManager());
  } finally {
    await connection.close();
  }
}

const stream = (): Promise<StreamInfo> => manage((jsm) => jsm.streams.info('EVENTS'));
const space = new AcknowledgedEventPurge(null as never, quiet, () => [Events.happened]);
const orderOf = (key: string): string[] => script.order.filter((entry) => entry.startsWith(`${key}:`));
const all = (key: string): string[] => numbers.map((number) => `${key}:${number}`);

describe('the stream of events', () => {
  test('that is gone lets queued events wait until the migration has made it again', async () => {
    await manage((jsm) => jsm.streams.delete('EVENTS'));
    await announceMuch('a');
    await until(() => source.runner.missingStreams.length > 0);
    expect(source.runner.missingStreams).toEqual(['EVENTS']);
    await expect(stream()).rejects.toThrow('stream not found');
    await nats.migrate();
    await until(() => orderOf('a').length >= numbers.length, { timeoutMs: 60_000 });
    expect(orderOf('a')).toEqual(all('a'));
  });

  test('that is full lets queued events wait, and takes them in their order', async () => {
    await consumer.stop();
    await source.stop();
    const small = { eventsMaxBytes: 1024 * 1024 };
    await nats.migrate(small);
    source = await startSource();
    expect((await stream()).config.max_bytes).toBe(small.eventsMaxBytes);
    await announceMuch('a');
    await until(() => source.runner.refusedByFullStream > 0);
    consumer = await startConsumer();
    await until(
      async () => {
        await manage((jsm) => space.free(jsm));
        return orderOf('a').length >= numbers.length;
      },
      { timeoutMs: 100_000 },
    );
    expect(orderOf('a')).toEqual(all('a'));
    await source.stop();
    await nats.migrate();
    source = await startSource();
    expect((await stream()).config.max_bytes).toBe(WHOLE);
  });

  test('that refuses queued events is asked less and less, and others leave meanwhile', async () => {
    const setMaxMessage = (bytes: number): Promise<unknown> =>
      manage(async (jsm) => {
        const { config } = await jsm.streams.info('EVENTS');
        await jsm.streams.update('EVENTS', { ...config, max_msg_size: bytes });
      });
    await setMaxMessage(100_000);
    await announceMuch('a');
    const pauses = (): Promise<{ tries: number; seconds: number }[]> =>
      source.database.system('look', (tx) =>
        tx.query(`select -1 - min(epoch) as tries,
                         ceil(extract(epoch from max(locked_until) - clock_timestamp()))::int as seconds
                    from outbox where epoch < 0 and order_key = 'a'`),
      );
    // Four seconds after the third refusal.
    await until(async () => {
      const [{ tries, seconds } = { tries: 0, seconds: 0 }] = await pauses();
      return tries >= 3 && seconds >= 2;
    });
    await source.database.system('announce', (tx) =>
      tx.announce(Events.happened, ctx, { key: 'b', number: 0 }, { orderKey: 'b' }),
    );
    await until(() => orderOf('b').length === 1);
    expect(orderOf('a')).toEqual([]);
    await setMaxMessage(-1);
    await until(() => orderOf('a').length >= numbers.length, { timeoutMs: 60_000 });
    expect(orderOf('a')).toEqual(all('a'));
  });
});

describe('events that are due', () => {
  test('leave although the queue takes for ever', async () => {
    await source.stop();
    const unending = (real: OutboxStore): OutboxStore => ({
      // Without commit notifications its events are due ten seconds later.
      onAnnounced: () => undefined,
      claimQueued: () => new Promise(() => undefined),
      claimDue: (limit) => real.claimDue(limit),
      dequeue: (published, others, refused) => real.dequeue(published, others, refused),
      confirm: (name, ids) => real.confirm(name, ids),
      settle: (ids) => real.settle(ids),
      unlockAll: () => real.unlockAll(),
      postpone: (ids, ms) => real.postpone(ids, ms),
    });
    source = await startSource({ outbox: unending });
    await source.database.system('announce', (tx) =>
      tx.announce(Events.happened, ctx, { key: 'b', number: 0 }, { orderKey: 'b' }),
    );
    await until(() => orderOf('b').length === 1, { timeoutMs: 60_000 });
  });
});
