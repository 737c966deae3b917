import { TestPlatform } from '@switchyard/testing';
import { CpuPerOperation, cpuText, oursUs } from '../cpu';
import { alternate, atLeast, atMost, median, type Pair } from '../measure';
import { residentMib } from '../memory';
import type { BenchContext, BenchRow, Measured } from '../row';
import { processesOf } from '../shape';
import { startBareRelay, startPortkey } from './relay-peers';
import { type Delays, type Pace, atPace } from './relay-open-loop';
import { Target, answerMs, answersPerSecond, eventsPerSecond, firstByteMs } from './relay-load';

const ROUNDS = 7;
/** Before anything is measured: code that has not run often is slow, on either side. */
const WARM_UP = 20_000;
const STREAMS_WARM_UP = 3_000;

interface Measuring extends Pair {
  cpu: Record<string, number>;
  /** Microseconds of one operation of theirs, if their process is known. */
  theirUs: number;
}

const added = (what: string, limitMs: number, { theirUs: _, ...pair }: Measuring): Measured => ({
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
    const ours: Target = { url: `${state.url}/models/v1`, headers: { authorization: `Bearer ${key.credential}` } };
    const direct: Target = { url: state.simulatorUrl, headers: {} };
    const bare = await startBareRelay(state.simulatorUrl);
    const platform = processesOf(state, ['gateway', 'relay', 'postgres', 'nats', 'redis', 'simulator']);
    const pids = { ...platform, caller: process.pid };
    const rows: Measured[] = [];
    /** Of a faster side there is more to do, so that a round of both lasts about as long. */
    const compare = async (
      measure: (target: Target, times: number) => Promise<number>,
      times: { ours: number; theirs: number },
      other = direct,
      otherPid?: number,
    ): Promise<Measuring> => {
      const cpu = new CpuPerOperation(pids);
      const theirCpu = new CpuPerOperation({ other: otherPid });
      const pair = await alternate(
        ROUNDS,
        () => cpu.during(times.ours, () => measure(ours, times.ours)),
        () => theirCpu.during(times.theirs, () => measure(other, times.theirs)),
      );
      return { ...pair, cpu: cpu.result(), theirUs: theirCpu.result().other ?? NaN };
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
      const one = { ours: 400, theirs: 400 };
      take(added('relay: whole answer, one at a time', 1, await compare(answerMs, one)));
      for (const connections of [32, 128]) {
        const times = { ours: 4_000, theirs: 15_000 };
        const { cpu, theirUs, ...rates } = await compare(at(connections), times, bare.target, bare.pid);
        const what = `${connections} at a time`;
        report(`relay: ${what}: ${rates.ours.toFixed(0)} beside ${rates.theirs.toFixed(0)} req/s of a bare relay`);
        take(
          atMost(3.5, {
            what: `relay: CPU time of a whole answer, ${what}`,
            beside: 'a bare relay of one hop',
            unit: 'us',
            ours: oursUs(cpu),
            theirs: theirUs,
            cpu,
          }),
        );
      }
      const streams = { ours: 600, theirs: 1_500 };
      const events = (target: Target, times: number): Promise<number> => eventsPerSecond(target, times, 32);
      for (const target of [ours, direct, bare.target]) await events(target, STREAMS_WARM_UP);
      await atSteadyPace({ ours, direct }, take);
      for (const [other, open, share] of [
        [direct, 'upstream directly', 0.55],
        [bare.target, 'a bare relay of one hop', 0.65],
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
          atLeast(3.5, {
            what: 'relay: whole answers, 32 at a time',
            beside: 'Portkey, which meters nothing',
            unit: 'req/s',
            ...(await compare(at(32), { ours: 4_000, theirs: 1_500 }, portkey)),
          }),
        );
        const pair = await compare(firstByteMs, { ours: 40, theirs: 40 }, portkey);
        report(`relay: first byte of a stream: ${pair.ours.toFixed(2)} beside Portkey's ${pair.theirs.toFixed(2)} ms`);
      }).catch((error: unknown) => {
        report(`Portkey could not be measured: ${String(error)}`);
      });
      for (const [name, pid] of Object.entries(processesOf(state, ['gateway', 'relay'])))
        report(`${name} after load: ${residentMib(pid ?? NaN).toFixed(0)} MiB`);
      return rows;
    } finally {
      bare.stop();
    }
  },
};

/** As a model answers: after a while, and at a pace that does not depend on earlier answers. */
const PACES: readonly { what: string; pace: Pace; p50: number; p99: number }[] = [
  {
    what: 'relay: first byte, 20 streams a second, 200 ms upstream',
    pace: { perSecond: 20, seconds: 5, script: '@@delay 200\n@@reply Hello', stream: true },
    p50: 1.5,
    p99: 6,
  },
  {
    what: 'relay: answer, 500 calls a second, 300 ms upstream',
    pace: { perSecond: 500, seconds: 4, script: '@@delay 300\n@@reply Hello', stream: false },
    p50: 1,
    p99: 10,
  },
];
const PACED_ROUNDS = 5;

async function atSteadyPace(sides: { ours: Target; direct: Target }, take: (row: Measured) => void): Promise<void> {
  for (const { what, pace, p50, p99 } of PACES) {
    const seen: Record<keyof typeof sides, Delays[]> = { ours: [], direct: [] };
    const measure = (side: keyof typeof sides) => async (): Promise<number> => {
      const delays = await atPace(sides[side], pace);
      seen[side].push(delays);
      return delays.p50;
    };
    const middle = await alternate(PACED_ROUNDS, measure('ours'), measure('direct'));
    const tail = (side: keyof typeof sides): number => median(seen[side].slice(1).map((delays) => delays.p99));
    take(added(`${what}, p50`, p50, { ...middle, cpu: {}, theirUs: NaN }));
    take(added(`${what}, p99`, p99, { ours: tail('ours'), theirs: tail('direct'), cpu: {}, theirUs: NaN }));
  }
}

async function againstPortkey(upstreamUrl: string, measure: (target: Target) => Promise<void>): Promise<void> {
  const portkey = await startPortkey(upstreamUrl);
  try {
    await measure(portkey.target);
  } finally {
    portkey.stop();
  }
}
