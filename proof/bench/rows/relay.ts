import { TestPlatform } from '@switchyard/testing';
import { CpuPerOperation, cpuText } from '../cpu';
import { alternate, atLeast, type Pair } from '../measure';
import { residentMib } from '../memory';
import { startNoOpGateway } from '../no-op-side';
import type { BenchContext, BenchRow, Measured } from '../row';
import { startBareRelay, startPortkey } from './relay-peers';
import { Target, answerMs, answersPerSecond, eventsPerSecond, firstByteMs } from './relay-load';

const ROUNDS = 7;
/** Before anything is measured: code that has not run often is slow, on either side. */
const WARM_UP = 10_000;
const STREAMS_WARM_UP = 3_000;

interface Measuring extends Pair {
  cpu: Record<string, number>;
}

const added = (what: string, limitMs: number, pair: Measuring): Measured => ({
  what,
  beside: 'upstream directly',
  unit: 'ms',
  ...pair,
  ratio: pair.ours / pair.theirs,
  target: `+${limitMs} ms`,
  judged: 'added',
  met: pair.ours - pair.theirs <= limitMs,
});

/** Key check, caps, reservation, settlement and two hops, beside the upstream itself. */
export const relay: BenchRow = {
  name: 'relay',
  async run({ state, report }: BenchContext): Promise<Measured[]> {
    const space = await new TestPlatform().newSpace();
    await space.credit(1_000_000_000);
    const key = await space.key();
    // As users get it, but for the limits of requests.
    const gateway = await startNoOpGateway(state, {});
    const ours: Target = { url: `${gateway.ready}/models/v1`, headers: { authorization: `Bearer ${key.credential}` } };
    const direct: Target = { url: state.simulatorUrl, headers: {} };
    const bare = await startBareRelay(state.simulatorUrl);
    const { relay, postgres, nats, redis, simulator } = state.pids;
    const pids = { gateway: gateway.pid, relay, postgres, nats, redis, simulator, caller: process.pid };
    const rows: Measured[] = [];
    /** Of a faster side there is more to do, so that a round of both lasts about as long. */
    const compare = async (
      measure: (target: Target, times: number) => Promise<number>,
      times: { ours: number; theirs: number },
      other = direct,
    ): Promise<Measuring> => {
      const cpu = new CpuPerOperation(pids);
      const pair = await alternate(
        ROUNDS,
        () => cpu.during(times.ours, () => measure(ours, times.ours)),
        () => measure(other, times.theirs),
      );
      return { ...pair, cpu: cpu.result() };
    };
    const at =
      (connections: number) =>
      (target: Target, times: number): Promise<number> =>
        answersPerSecond(target, connections, times);
    const take = (row: Measured): void => {
      rows.push(row);
      report(`${row.what}: ${row.ours.toFixed(2)} beside ${row.theirs.toFixed(2)} ${row.unit}`);
      report(`  ${cpuText(row.cpu ?? {})}`);
    };
    try {
      for (const target of [ours, direct, bare.target]) await answersPerSecond(target, 32, WARM_UP);
      const one = { ours: 150, theirs: 150 };
      take(added('relay: whole answer, one at a time', 1, await compare(answerMs, one)));
      for (const connections of [32, 128]) {
        take(
          atLeast(0.25, {
            what: `relay: whole answers, ${connections} at a time`,
            beside: 'upstream directly',
            unit: 'req/s',
            ...(await compare(at(connections), { ours: 1_500, theirs: 10_000 })),
          }),
        );
      }
      take(
        atLeast(0.6, {
          what: 'relay: whole answers, 32 at a time',
          beside: 'a bare relay of one hop',
          unit: 'req/s',
          ...(await compare(at(32), { ours: 1_500, theirs: 5_000 }, bare.target)),
        }),
      );
      const streams = { ours: 300, theirs: 1_000 };
      const events = (target: Target, times: number): Promise<number> => eventsPerSecond(target, times, 32);
      for (const target of [ours, direct, bare.target]) await events(target, STREAMS_WARM_UP);
      take(added('relay: first byte of a stream', 1.5, await compare(firstByteMs, { ours: 60, theirs: 60 })));
      for (const [other, open, share] of [
        [direct, 'upstream directly', 0.5],
        [bare.target, 'a bare relay of one hop', 0.6],
      ] as const)
        take(
          atLeast(share, {
            what: 'relay: events of 32 streams',
            beside: open,
            unit: 'events/s',
            ...(await compare(events, streams, other)),
          }),
        );
      await againstPortkey(state.simulatorUrl, async (portkey) => {
        take(
          atLeast(5, {
            what: 'relay: whole answers, 32 at a time',
            beside: 'Portkey, which meters nothing',
            unit: 'req/s',
            ...(await compare(at(32), { ours: 1_500, theirs: 700 }, portkey)),
          }),
        );
        const pair = await compare(firstByteMs, { ours: 40, theirs: 40 }, portkey);
        report(`relay: first byte of a stream: ${pair.ours.toFixed(2)} beside Portkey's ${pair.theirs.toFixed(2)} ms`);
      }).catch((error: unknown) => {
        report(`Portkey could not be measured: ${String(error)}`);
      });
      report(`relay process after load: ${residentMib(state.pids['relay'] ?? NaN).toFixed(0)} MiB`);
      return rows;
    } finally {
      gateway.stop();
      bare.stop();
    }
  },
};

async function againstPortkey(upstreamUrl: string, measure: (target: Target) => Promise<void>): Promise<void> {
  const portkey = await startPortkey(upstreamUrl);
  try {
    await measure(portkey.target);
  } finally {
    portkey.stop();
  }
}
