import { serviceCtx } from '@switchyard/contracts';
import { Outbox } from '@switchyard/database';
import { until, usePlatform } from '@switchyard/testing';
import { Events } from './contracts';
import { Consumer } from './handlers';
import { NatsProcess } from './nats-process';
import { EFFECTS, type Peer, makeDatabase, makeKeys, startPeer } from './peer';

const platform = usePlatform();
const keys = makeKeys(['task', 'job']);
let nats: NatsProcess;
let drop: () => Promise<void>;
let source: Peer;
let consumer: Peer;
let isDeaf = true;

/** Receives no confirmations, as a disconnected process. */
class DeafOutbox extends Outbox {
  override async confirm(name: string, ids: string[]): Promise<void> {
    if (!isDeaf) await super.confirm(name, ids);
  }
}

beforeAll(async () => {
  nats = await NatsProcess.start();
  const made = await makeDatabase(platform.state.databaseUrl, ['task', 'job'], EFFECTS);
  drop = made.drop;
  const peer = { natsUrl: nats.url, keys };
  const { task, job } = made.urls;
  source = await startPeer({
    ...peer,
    service: 'task',
    databaseUrl: task,
    outbox: (_, database) => new DeafOutbox(database),
  });
  consumer = await startPeer({ ...peer, service: 'job', databaseUrl: job, controllers: [Consumer] });
});

afterAll(async () => {
  await consumer.stop();
  await source.stop();
  await nats.remove();
  await drop();
});

const count = async ({ database }: Peer, table: 'effects' | 'outbox'): Promise<number> =>
  (await database.system('look', (tx) => tx.query(`select 1 from ${table}`))).length;

test('what its source did not hear is confirmed again as soon as its line is back', async () => {
  for (const number of [1, 2, 3])
    await source.database.system('announce', (tx) =>
      tx.announce(Events.happened, serviceCtx('task'), { key: 'a', number }, { orderKey: 'a' }),
    );
  await until(async () => (await count(consumer, 'effects')) === 3);
  expect(await count(source, 'outbox')).toBe(3);
  isDeaf = false;
  await source.link.nc.reconnect();
  // Before they are due by themselves.
  await until(async () => (await count(source, 'outbox')) === 0, { timeoutMs: 8_000 });
  expect(await count(consumer, 'effects')).toBe(3);
});
