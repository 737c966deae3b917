import { serviceCtx } from '@switchyard/contracts';
import { until } from '@switchyard/testing';
import { Calls } from './contracts';
import { Server } from './handlers';
import { NatsProcess } from './nats-process';
import { type Peer, makeKeys, startPeer } from './peer';

const keys = makeKeys(['task', 'job']);
const MIB = 1024 * 1024;
/** More than the buffers of a connection take. */
const UNREAD_MIB = 30;

describe('a server that reads nothing any more', () => {
  let nats: NatsProcess;
  let server: Peer;
  let caller: Peer;

  beforeAll(async () => {
    nats = await NatsProcess.start();
    server = await startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Server] });
    caller = await startPeer({ service: 'job', natsUrl: nats.url, keys });
  });

  afterAll(async () => {
    nats.resume();
    await caller.stop();
    await server.stop();
    await nats.remove();
  });

  test('is left although what was to be sent still waits, and is connected to again once it reads', async () => {
    nats.pause();
    const piece = Buffer.alloc(MIB / 2);
    for (let sent = 0; sent < UNREAD_MIB; sent += 0.5) caller.link.nc.publish('without.listeners', piece);
    await until(() => !caller.link.isAnswering, { timeoutMs: 30_000 });
    await until(() => !caller.link.isUp, { timeoutMs: 60_000 });
    nats.resume();
    await until(
      async () => {
        const reply = await caller.bus.call(Calls.echo, serviceCtx('job'), { text: 'there' }).catch(() => null);
        return reply?.text === 'there';
      },
      { timeoutMs: 60_000 },
    );
  }, 180_000);
});
