import { serviceCtx } from '@switchyard/contracts';
import { until } from '@switchyard/testing';
import { Events, type NatsConnection, connect } from 'nats';
import { Calls } from '../conformance/contracts';
import { Server } from '../conformance/handlers';
import { type Peer, makeKeys, startPeer } from '../conformance/peer';
import { NatsCluster } from './nats-cluster';

const keys = makeKeys(['task', 'job', 'agent']);
const ctx = serviceCtx('job');

let cluster: NatsCluster;
let server: Peer;
let caller: Peer;

beforeAll(async () => {
  cluster = await NatsCluster.start();
  server = await startPeer({ service: 'task', natsUrl: cluster.url(2), keys, controllers: [Server] });
});

beforeEach(async () => {
  caller = await startPeer({ service: 'job', natsUrl: `${cluster.url(0)},${cluster.url(1)}`, keys });
  await until(isAnswered);
});

afterEach(() => caller.stop());

afterAll(async () => {
  await server.stop();
  await cluster.remove();
});

const isAnswered = (): Promise<boolean> =>
  caller.bus.call(Calls.echo, ctx, { text: 'there?' }, { timeoutMs: 1_000 }).then(
    () => true,
    () => false,
  );

const serverOf = ({ link }: Peer): number => [0, 1].find((at) => cluster.url(at).endsWith(link.nc.getServer())) ?? -1;

/** Detects a silent server after six seconds at the earliest, ignoring stalls of this process. */
async function slowerClient(at: number): Promise<{ connection: NatsConnection; isUnavailable: () => boolean }> {
  const connection = await connect({ servers: cluster.url(at), pingInterval: 3_000, maxPingOut: 2 });
  let unavailable = false;
  void (async () => {
    for await (const { type } of connection.status()) unavailable ||= type === Events.Disconnect;
  })();
  return { connection, isUnavailable: () => unavailable };
}

/** Cluster clients are spread; this one has moved when calls are answered over another server. */
const movedFrom = (stopped: number): Promise<boolean> =>
  until(async () => serverOf(caller) !== stopped && (await isAnswered()), { timeoutMs: 120_000 });

test('leaves a server that is silent for another one, before clients with slower pings know', async () => {
  const stopped = serverOf(caller);
  const slower = await slowerClient(stopped);
  cluster.signal(stopped, 'SIGSTOP');
  await movedFrom(stopped);
  expect(slower.isUnavailable()).toBe(false);
  cluster.signal(stopped, 'SIGCONT');
  await slower.connection.close();
});

test('leaves a server that is killed for another one', async () => {
  const stopped = serverOf(caller);
  cluster.signal(stopped, 'SIGKILL');
  await movedFrom(stopped);
  expect(serverOf(caller)).toBe(1 - stopped);
});
