import { serviceCtx } from '@switchyard/contracts';
import { Database, Inbox } from '@switchyard/database';
import { type InboxStore, type OutboxStore, AcknowledgedEventPurge } from '@switchyard/messaging';
import { until, usePlatform } from '@switchyard/testing';
import { connect } from 'nats';
import { Calls, Events, Streams } from './contracts';
import { Consumer, script } from './handlers';
import { NatsProcess } from './nats-process';
import { EFFECTS, Peer, PeerOptions, makeDatabase, makeKeys, quiet, startPeer } from './peer';

const platform = usePlatform();
const keys = makeKeys(['task', 'job']);
const ctx = serviceCtx('task');
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
  const made = await makeDatabase(platform.state.databaseUrl, ['task', 'job'], EFFECTS);
  urls = made.urls;
  drop = made.drop;
});

afterAll(async () => {
  await nats.remove();
  await drop();
});

beforeEach(async () => {
  script.poison.clear();
  script.failOnce.clear();
  script.slow.clear();
  script.order.length = 0;
  source = await startSource();
  consumer = await startConsumer();
  await consumer.database.system('clean', (tx) => tx.run('delete from effects'));
});

afterEach(async () => {
  await consumer.stop();
  await source.stop();
});

async function announce(database: Database, key: string, numbers: number[]): Promise<void> {
  for (const number of numbers) {
    await database.system('announce', (tx) => tx.announce(Events.happened, ctx, { key, number }, { orderKey: key }));
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

async function effects(database: Database = consumer.database): Promise<{ distinct: number; total: number }> {
  const row = await database.system('look', (tx) =>
    tx.one<{ distinct: number; total: number }>(
      'select count(distinct number)::int as distinct, count(*)::int as total from effects',
    ),
  );
  return row ?? { distinct: 0, total: 0 };
}

const waiting = (): Promise<number> =>
  source.database.system(
    'look',
    async (tx) => (await tx.one<{ n: number }>('select count(*)::int as n from outbox'))?.n ?? 0,
  );

/** Redelivers every message of the stream. */
async function redeliverEverything(): Promise<void> {
  const connection = await connect({ servers: nats.url });
  const stream = await (await connection.jetstreamManager()).streams.get('EVENTS');
  const { messages, first_seq, last_seq } = (await stream.info()).state;
  for (let seq = first_seq; messages > 0 && seq <= last_seq; seq += 1) {
    const message = await stream.getMessage({ seq });
    connection.publish(message.subject, message.data);
  }
  await connection.drain();
}

describe('a transaction', () => {
  test('may not wait for another service, neither for a call nor for a stream', async () => {
    const text = { text: 'hello' };
    const inside = (work: () => Promise<unknown>): Promise<unknown> =>
      consumer.database.system('call another service', work);
    await expect(inside(() => consumer.bus.call(Calls.nobody, ctx, text))).rejects.toThrow(
      'task.nobody was called inside a database transaction',
    );
    await expect(inside(() => consumer.bus.stream(Streams.numbers, ctx, { count: 1 }))).rejects.toThrow(
      'task.numbers was called inside a database transaction',
    );
    await inside(() => Promise.resolve());
    await expect(consumer.bus.call(Calls.nobody, ctx, text)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('an announced event', () => {
  test('takes effect once, in the order of its key, and leaves the outbox when that is committed', async () => {
    await announce(source.database, 'a', range(0, 100));
    await until(async () => (await effects()).total === 100);
    expect(script.order).toEqual(range(0, 100).map((number) => `a:${number}`));
    await until(async () => (await waiting()) === 0);
  });

  test('keeps its place behind a transaction that announced more than fits into memory, on every replica', async () => {
    const other = await startSource();
    const filler = 'x'.repeat(500_000);
    await source.database.system('announce much', async (tx) => {
      for (const number of range(0, 30))
        await tx.announce(Events.happened, ctx, { key: 'a', number, filler }, { orderKey: 'a' });
    });
    await announce(other.database, 'a', range(30, 40));
    await announce(source.database, 'a', range(40, 50));
    await announce(source.database, 'b', range(0, 5));
    await until(async () => (await effects()).total === 55);
    expect(script.order.filter((entry) => entry.startsWith('a'))).toEqual(range(0, 50).map((number) => `a:${number}`));
    await until(async () => (await waiting()) === 0);
    await other.stop();
  });

  test('does not leave when its transaction is rolled back', async () => {
    const failed = source.database.system('roll back', async (tx) => {
      await tx.announce(Events.happened, ctx, { key: 'a', number: 1 });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await waiting()).toBe(0);
  });

  test('takes effect once however often it is delivered', async () => {
    await announce(source.database, 'a', range(0, 50));
    await until(async () => (await effects()).total === 50);
    await redeliverEverything();
    await announce(source.database, 'b', [50]);
    await until(async () => (await effects()).distinct === 51);
    expect(await effects()).toEqual({ distinct: 51, total: 51 });
  });

  test('is tried again after a failure, without a trace of the failed try', async () => {
    script.failOnce = new Set([3, 7]);
    await announce(source.database, 'a', range(0, 10));
    await until(async () => (await effects()).distinct === 10);
    expect((await effects()).total).toBe(10);
  });

  test('becomes a dead letter if it is poison, delays no other event, and can be sent again', async () => {
    script.poison.add(5);
    await announce(source.database, 'poisoned', [5]);
    await announce(source.database, 'healthy', range(10, 40));
    await until(async () => (await effects()).distinct === 30);
    const inbox = new Inbox(consumer.database);
    // Eight attempts take long, so all but the last are counted in advance.
    await until(() => consumer.database.system('age', (tx) => tx.count('update inbox_failure set attempts = 7', [])));
    await until(async () => (await inbox.listDead({ limit: 10 })).length === 1, { timeoutMs: 60_000 });
    await until(async () => (await waiting()) === 0);
    script.poison.clear();
    await inbox.requeueDead(null);
    await until(async () => (await effects()).distinct === 31);
    // Another copy of the message may have been handled first: the dead letter is then dropped.
    await until(async () => (await inbox.listDead({ limit: 10 })).length === 0);
    expect((await effects()).total).toBe(31);
  });
});

describe('a dead letter that was sent back', () => {
  test('is not lost when the process that took it ends', async () => {
    script.poison.add(5);
    await announce(source.database, 'poisoned', [5]);
    const inbox = new Inbox(consumer.database);
    await until(() => consumer.database.system('age', (tx) => tx.count('update inbox_failure set attempts = 7', [])));
    await until(async () => (await inbox.listDead({ limit: 10 })).length === 1, { timeoutMs: 60_000 });
    await consumer.stop();
    await inbox.requeueDead(null).catch(() => undefined);
    consumer = await startConsumer({
      inbox: (real) => ({
        receive: () => new Promise(() => undefined),
        fail: (message, error) => real.fail(message, error),
        takeRequeued: (limit) => real.takeRequeued(limit),
        dropDead: (message) => real.dropDead(message),
        stateOf: (message) => real.stateOf(message),
        alone: (work) => real.alone(work),
        beginAlone: (message) => real.beginAlone(message),
        endAlone: (message, isOver) => real.endAlone(message, isOver),
        giveUp: (message) => real.giveUp(message),
        isTimeout: (error) => real.isTimeout(error),
        isReachable: () => real.isReachable(),
      }),
    });
    const letters = new Inbox(consumer.database);
    await letters.requeueDead(null);
    const isTaken = (): Promise<boolean> =>
      consumer.database
        .system('look', (tx) => tx.one('select 1 from dead_letter where requeued_at > clock_timestamp()'))
        .then((row) => row !== null);
    await until(isTaken);
    await consumer.stop();
    script.poison.clear();
    consumer = await startConsumer();
    await consumer.database.system('a minute later', (tx) =>
      tx.run(`update dead_letter set requeued_at = clock_timestamp() where requeued_at is not null`),
    );
    await until(async () => (await effects()).distinct === 1);
    await until(async () => (await new Inbox(consumer.database).listDead({ limit: 10 })).length === 0);
  });
});

describe('dead letters', () => {
  test('are kept for their days, and while they are on their way back', async () => {
    const { database } = consumer;
    const inbox = new Inbox(database);
    await database.system('write', (tx) =>
      tx.run(
        `insert into dead_letter (consumer, message_id, name, body, attempts, error, last_at, requeued_at)
           select 'nobody', gen_random_uuid(), name, '{}', 8, '', clock_timestamp() - make_interval(days => age), back
             from (values ('past', 91, null::timestamptz), ('within', 89, null), ('sent back', 91, clock_timestamp() + interval '1 day')) as letters (name, age, back)`,
      ),
    );
    await database.system('forget', (tx) => inbox.deleteOld(tx, { inbox: 14, dead: 90 }, 500));
    expect((await inbox.listDead({ limit: 10 })).map(({ name }) => name)).toEqual(['within', 'sent back']);
    await database.system('clean', (tx) => tx.run('delete from dead_letter'));
  });
});

describe('an event that fails for its own weight', () => {
  test('counts as failed, and goes among the dead letters', async () => {
    script.slow.add(5);
    await announce(source.database, 'heavy', [5]);
    await announce(source.database, 'healthy', range(10, 20));
    await until(async () => (await effects()).distinct === 10);
    await until(() => consumer.database.system('age', (tx) => tx.count('update inbox_failure set attempts = 7', [])));
    const inbox = new Inbox(consumer.database);
    await until(async () => (await inbox.listDead({ limit: 10 })).length === 1, { timeoutMs: 60_000 });
    await until(async () => (await waiting()) === 0);
    await consumer.database.system('clean', (tx) => tx.run('delete from dead_letter'));
  });
});

describe('the stream of events', () => {
  const streamState = async (): Promise<{ messages: number; max_bytes: number }> => {
    const connection = await connect({ servers: nats.url });
    try {
      const { state, config } = await (await connection.jetstreamManager()).streams.info('EVENTS');
      return { messages: state.messages, max_bytes: config.max_bytes };
    } finally {
      await connection.close();
    }
  };
  const space = new AcknowledgedEventPurge(null as never, quiet, () => [Events.happened]);
  const free = async (): Promise<void> => {
    const connection = await connect({ servers: nats.url });
    await space.free(await connection.jetstreamManager());
    await connection.close();
  };

  test('is freed of what all consumers have confirmed, and of nothing else', async () => {
    await announce(source.database, 'a', range(0, 50));
    await until(async () => (await waiting()) === 0);
    await until(async () => {
      await free();
      return (await streamState()).messages === 0;
    });
    await consumer.stop();
    await announce(source.database, 'a', range(50, 60));
    await until(async () => (await streamState()).messages >= 10);
    await free();
    expect((await streamState()).messages).toBeGreaterThanOrEqual(10);
    consumer = await startConsumer();
    await until(async () => (await effects()).distinct === 60);
  });

  test('that is full is no missing one: events wait in the outbox until there is room', async () => {
    await consumer.stop();
    await source.stop();
    const small = { eventsMaxBytes: 8 * 1024 };
    await nats.migrate(small);
    expect((await streamState()).max_bytes).toBe(small.eventsMaxBytes);
    source = await startSource();
    await announce(source.database, 'a', range(100, 140));
    await until(() => source.runner.refusedByFullStream > 0);
    expect(await waiting()).toBe(40);
    consumer = await startConsumer();
    await until(
      async () => {
        await free();
        return (await effects()).distinct === 40;
      },
      { timeoutMs: 60_000 },
    );
    expect((await effects()).total).toBe(40);
    await source.stop();
    await nats.migrate();
    source = await startSource();
    expect((await streamState()).max_bytes).toBe(1024 * 1024 * 1024);
  });
});

describe('when the carrier fails', () => {
  test('events announced while NATS is down arrive when it is back', async () => {
    await nats.kill();
    await until(() => !source.link.isUp);
    await announce(source.database, 'a', range(0, 30));
    await nats.start();
    await until(async () => (await effects()).distinct === 30, { timeoutMs: 60_000 });
    expect((await effects()).total).toBe(30);
  });

  test('nothing is lost or doubled by a kill -9 in the middle', async () => {
    const announcing = announce(source.database, 'a', range(0, 400));
    await until(async () => (await effects()).total > 50);
    await nats.kill();
    await nats.start();
    await announcing;
    await until(async () => (await effects()).distinct === 400, { timeoutMs: 60_000 });
    expect((await effects()).total).toBe(400);
  });

  test('nothing is lost when the server comes back without its data', async () => {
    await consumer.stop();
    await announce(source.database, 'a', range(0, 100));
    await nats.kill();
    nats.wipe();
    await nats.start();
    consumer = await startConsumer();
    await until(async () => (await effects()).distinct === 100, { timeoutMs: 60_000 });
    expect((await effects()).total).toBe(100);
    await until(async () => (await waiting()) === 0, { timeoutMs: 30_000 });
  }, 120_000);

  test('a server that stands still loses and doubles nothing', async () => {
    nats.pause();
    const announcing = announce(source.database, 'a', range(0, 20));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    nats.resume();
    await announcing;
    await until(async () => (await effects()).distinct === 20, { timeoutMs: 60_000 });
    expect((await effects()).total).toBe(20);
  });
});

describe('the suite itself', () => {
  test('turns red without the inbox: a repeated delivery has a second effect', async () => {
    await consumer.stop();
    const credulous = (real: Inbox): InboxStore => ({
      receive: (message, effect) =>
        consumer.database.inSpace(message.spaceId, async (tx) => effect(tx)).then(() => 'done' as const),
      fail: (message, error) => real.fail(message, error),
      takeRequeued: (limit) => real.takeRequeued(limit),
      dropDead: (message) => real.dropDead(message),
      stateOf: () => Promise.resolve('new' as const),
      alone: (work) => real.alone(work),
      beginAlone: () => Promise.resolve('alone' as const),
      endAlone: (message, isOver) => real.endAlone(message, isOver),
      giveUp: (message) => real.giveUp(message),
      isTimeout: (error) => real.isTimeout(error),
      isReachable: () => real.isReachable(),
    });
    consumer = await startConsumer({ inbox: credulous });
    await announce(source.database, 'a', range(0, 50));
    await until(async () => (await effects()).distinct === 50);
    await redeliverEverything();
    await until(async () => (await effects()).total > 50);
  });

  test('turns red without the sweeper: what the carrier lost is lost', async () => {
    await consumer.stop();
    await source.stop();
    const forgetful = (real: OutboxStore): OutboxStore => ({
      onAnnounced: (listener) => {
        real.onAnnounced(listener);
      },
      claimDue: () => Promise.resolve({ rows: [], hasMore: false }),
      claimQueued: (limit) => real.claimQueued(limit),
      dequeue: (published, others, refused) => real.dequeue(published, others, refused),
      confirm: (name, ids) => real.confirm(name, ids),
      settle: (ids) => real.settle(ids),
      unlockAll: () => Promise.resolve(),
      postpone: () => Promise.resolve(),
    });
    source = await startSource({ outbox: forgetful });
    await announce(source.database, 'a', range(0, 50));
    await until(async () => (await waiting()) >= 50);
    await nats.kill();
    nats.wipe();
    await nats.start();
    consumer = await startConsumer();
    await announce(source.database, 'b', [99]);
    await until(() => source.link.isUp && consumer.link.isUp);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect((await effects()).distinct).toBeLessThan(51);
    await source.database.system('clean', (tx) => tx.run('delete from outbox'));
  });
});
