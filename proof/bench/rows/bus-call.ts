import { serviceCtx } from '@switchyard/contracts';
import { bareClient } from '../../../libs/messaging/test/conformance/bare-client';
import { NatsProcess } from '../../../libs/messaging/test/conformance/nats-process';
import { makeKeys, startPeer } from '../../../libs/messaging/test/conformance/peer';
import { alternate, atLeast, atMost, latencyUs, throughput } from '../measure';
import type { BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';
import { SideProcess } from '../side-process';
import { BenchCalls, bareSubject, benchEcho } from '../sides/echo';

const rounds = 7;
const inFlight = 128;

/** A call with signature, envelope and checks at both ends, beside a request of the client library as it comes. */
export const busCall: BenchRow = {
  name: 'bus',
  shapes: ONE_SERVICE,
  async run(): Promise<Measured[]> {
    const nats = await NatsProcess.start();
    const keys = makeKeys(['task', 'job']);
    const server = await SideProcess.start('bus-server', {
      ...process.env,
      NATS_URL: nats.url,
      BENCH_KEYS: JSON.stringify(keys),
    });
    const caller = await startPeer({ service: 'job', natsUrl: nats.url, keys });
    const bare = await bareClient(nats.url);
    const ctx = serviceCtx('job');
    const payload = Buffer.from(JSON.stringify(benchEcho));
    const ours = (): Promise<unknown> => caller.bus.call(BenchCalls.echo, ctx, benchEcho);
    const theirs = async (): Promise<unknown> => {
      const reply = await bare.request(bareSubject, payload, { timeout: 5_000 });
      return JSON.parse(Buffer.from(reply.data).toString('utf8')) as unknown;
    };
    try {
      const one = await alternate(
        rounds,
        () => latencyUs(1_500, ours),
        () => latencyUs(1_500, theirs),
      );
      const many = await alternate(
        rounds,
        () => throughput(10_000, inFlight, ours),
        () => throughput(10_000, inFlight, theirs),
      );
      const open = 'NATS client as it comes';
      return [
        atMost(1.4, { what: 'bus.call, one after the other, p50', beside: open, unit: 'us', ...one }),
        atLeast(0.75, { what: `bus.call, ${inFlight} in flight`, beside: open, unit: 'calls/s', ...many }),
      ];
    } finally {
      server.stop();
      await bare.close();
      await caller.stop();
      await nats.remove();
    }
  },
};
