import { readFileSync } from 'node:fs';
import { TestPlatform } from '@switchyard/testing';
import { type Pair, alternate, atLeast } from '../measure';
import { startNoOpGateway } from '../no-op-side';
import type { BenchPlace, BenchRow, Measured } from '../row';
import { startBareRelay, startPortkey } from './relay-peers';
import { Target, answerMs, answersPerSecond, eventsPerSecond, firstByteMs } from './relay-load';

const rounds = 3;

const added = (what: string, limitMs: number, pair: { ours: number; theirs: number }): Measured => ({
  what,
  beside: 'upstream directly',
  unit: 'ms',
  ...pair,
  ratio: pair.ours / pair.theirs,
  target: `+${limitMs} ms`,
  met: pair.ours - pair.theirs <= limitMs,
});

const residentMiB = (pid: number | null): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Key check, caps, reservation, settlement and two hops, beside the upstream itself. */
export const relay: BenchRow = {
  name: 'relay',
  async run({ state, report }: BenchPlace): Promise<Measured[]> {
    const space = await new TestPlatform().newSpace();
    await space.owner.post('/usage/credits', { tokens: 1_000_000_000 });
    const key = await space.key();
    const gateway = await startNoOpGateway(state);
    const ours: Target = { url: `${gateway.ready}/models/v1`, headers: { authorization: `Bearer ${key.credential}` } };
    const direct: Target = { url: state.simulatorUrl, headers: {} };
    const bare = await startBareRelay(state.simulatorUrl);
    const rows: Measured[] = [];
    const compare = async (measure: (target: Target) => Promise<number>, other = direct): Promise<Pair> =>
      alternate(
        rounds,
        () => measure(ours),
        () => measure(other),
      );
    const at32 = (target: Target): Promise<number> => answersPerSecond(target, 32, 3);
    const take = (row: Measured): void => {
      rows.push(row);
      report(`${row.what}: ${row.ours.toFixed(2)} beside ${row.theirs.toFixed(2)} ${row.unit}`);
    };
    try {
      take(added('relay: whole answer, one at a time', 1, await compare((target) => answerMs(target, 200))));
      for (const connections of [32, 128]) {
        take(
          atLeast(0.25, {
            what: `relay: whole answers, ${connections} at a time`,
            beside: 'upstream directly',
            unit: 'req/s',
            ...(await compare((target) => answersPerSecond(target, connections, 3))),
          }),
        );
      }
      take(
        atLeast(0.6, {
          what: 'relay: whole answers, 32 at a time',
          beside: 'a bare relay of one hop',
          unit: 'req/s',
          ...(await compare(at32, bare.target)),
        }),
      );
      take(added('relay: first byte of a stream', 1.5, await compare((target) => firstByteMs(target, 100))));
      take(
        atLeast(0.6, {
          what: 'relay: events of 32 streams',
          beside: 'upstream directly',
          unit: 'events/s',
          ...(await compare((target) => eventsPerSecond(target, 200, 32))),
        }),
      );
      await besidePortkey(state.simulatorUrl, async (portkey) => {
        take(
          atLeast(5, {
            what: 'relay: whole answers, 32 at a time',
            beside: 'Portkey, which meters nothing',
            unit: 'req/s',
            ...(await compare(at32, portkey)),
          }),
        );
        const stream = (target: Target): Promise<number> => firstByteMs(target, 60);
        const pair = await compare(stream, portkey);
        report(`relay: first byte of a stream: ${pair.ours.toFixed(2)} beside Portkey's ${pair.theirs.toFixed(2)} ms`);
      }).catch((error: unknown) => {
        report(`Portkey could not be measured: ${String(error)}`);
      });
      report(`relay process after load: ${residentMiB(state.pids['relay'] ?? null).toFixed(0)} MiB`);
      return rows;
    } finally {
      gateway.stop();
      bare.stop();
    }
  },
};

async function besidePortkey(upstreamUrl: string, measure: (target: Target) => Promise<void>): Promise<void> {
  const portkey = await startPortkey(upstreamUrl);
  try {
    await measure(portkey.target);
  } finally {
    portkey.stop();
  }
}
