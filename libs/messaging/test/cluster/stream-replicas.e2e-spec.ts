import { type PreparedStream, ensureStreams, prepareStreams } from '@switchyard/messaging';
import { until } from '@switchyard/testing';
import type { StreamInfo } from 'nats';
import { quiet } from '../conformance/peer';
import { NatsCluster } from './nats-cluster';

const EVENTS = 20;
const WITHIN_MS = 60_000;
let cluster: NatsCluster;

beforeAll(async () => {
  cluster = await NatsCluster.start();
  // Like a deployment that began with a single server.
  await until(() => cluster.manager((manager) => ensureStreams(manager, quiet, { replicas: 1 }).then(() => true)), {
    timeoutMs: WITHIN_MS,
  });
  await cluster.publish('event.test', EVENTS);
});

afterAll(() => cluster.remove());

const migrate = (replicas?: number): Promise<PreparedStream[]> =>
  prepareStreams({ natsUrl: cluster.urlFrom(0), sizes: { replicas }, log: quiet, withinMs: WITHIN_MS });

const infos = (): Promise<StreamInfo[]> =>
  cluster.manager((manager) => Promise.all(['EVENTS', 'FRAMES'].map((name) => manager.streams.info(name))));

const copies = async (): Promise<number[]> =>
  (await infos()).map(({ cluster: { replicas } = {} }) => 1 + (replicas?.length ?? 0));

test('a migration that is told no number leaves the copies of a stream as they are', async () => {
  expect(await migrate()).toEqual([
    { stream: 'EVENTS', before: 1, now: 1 },
    { stream: 'FRAMES', before: 1, now: 1 },
  ]);
  expect(await copies()).toEqual([1, 1]);
});

test('a migration that is told a number gives streams more copies with all that they hold, and fewer again', async () => {
  expect(await migrate(3)).toEqual([
    { stream: 'EVENTS', before: 1, now: 3 },
    { stream: 'FRAMES', before: 1, now: 3 },
  ]);
  expect(await copies()).toEqual([3, 3]);
  const [events] = await infos();
  expect(events?.state.messages).toBe(EVENTS);
  expect(events?.cluster?.replicas?.map(({ current }) => current)).toEqual([true, true]);
  expect(await migrate(3)).toEqual([
    { stream: 'EVENTS', before: 3, now: 3 },
    { stream: 'FRAMES', before: 3, now: 3 },
  ]);
  await migrate(1);
  expect(await copies()).toEqual([1, 1]);
  expect((await infos())[0]?.state.messages).toBe(EVENTS);
});

test('it says so when there are not enough servers', async () => {
  await expect(migrate(5)).rejects.toThrow(/suitable peers|replicas|insufficient/i);
});
