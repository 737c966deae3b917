import { CpuPerOperation, type Pids, oursUs } from './cpu';
import { atMost, median, throughput } from './measure';
import type { Measured } from './row';

const LIMIT = 1.3;
const ROUNDS = 5;

/** An operation, and the size of what surrounds it. */
export interface Sized {
  size: number;
  run: () => Promise<unknown>;
}

export interface Load {
  /** Of one round. */
  times: number;
  callers: number;
  pids: Pids;
}

export interface Cost {
  size: number;
  wallMs: number;
  cpu: Record<string, number>;
}

/**
 * Measures each size in each round, so that a slow minute of the machine is one of all sizes. The first round warms up.
 */
export async function costBySize(sizes: readonly Sized[], { times, callers, pids }: Load): Promise<Cost[]> {
  const seen = sizes.map(({ size, run }) => ({ size, run, walls: [] as number[], cpu: new CpuPerOperation(pids) }));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const { run, walls, cpu } of round % 2 === 0 ? seen : seen.toReversed()) {
      const perSecond = await cpu.during(times, () => throughput(times, callers, run));
      if (round > 0) walls.push(1000 / perSecond);
    }
  return seen.map(({ size, walls, cpu }) => ({ size, wallMs: median(walls), cpu: cpu.result() }));
}

/**
 * Scales costs measured one after the other to the speed of the machine at the first size: `references` are processor
 * times of the same work at every size.
 */
export function scaleToFirst(costs: readonly Cost[], references: readonly number[]): Cost[] {
  const [first = NaN] = references;
  return costs.map(({ size, wallMs, cpu }, at) => {
    const slowness = (references[at] ?? NaN) / first;
    const scaled = Object.entries(cpu).map(([name, us]) => [name, us / slowness] as const);
    return { size, wallMs: wallMs / slowness, cpu: Object.fromEntries(scaled) };
  });
}

/** Each size beside the one before: how long an operation takes among others of its kind, and its processor time. */
export function compareSizes(
  operation: string,
  things: string,
  costs: readonly Cost[],
  report: (line: string) => void,
): Measured[] {
  for (const { size, wallMs, cpu } of costs)
    report(`${operation}, ${size} ${things}: ${wallMs.toFixed(2)} ms, ${(oursUs(cpu) / 1000).toFixed(2)} ms of CPU`);
  return costs.slice(1).flatMap(({ size, wallMs, cpu }, at) => {
    const before = costs[at] ?? { size: NaN, wallMs: NaN, cpu: {} };
    const what = `${operation}, ${size} ${things}`;
    const open = `${before.size}`;
    return [
      atMost(LIMIT, { what, beside: open, unit: 'ms', ours: wallMs, theirs: before.wallMs, cpu }),
      atMost(LIMIT, {
        what: `${what}, CPU`,
        beside: open,
        unit: 'us of CPU',
        ours: oursUs(cpu),
        theirs: oursUs(before.cpu),
      }),
    ];
  });
}
