import { untilQuiet } from './quiet';
import type { Measured } from './row';

type Side = () => Promise<unknown>;

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

export interface Pair {
  ours: number;
  theirs: number;
}

/**
 * Each round measures both sides, each from a quiet moment, taking turns at being first; the first round only warms up.
 */
export async function alternate(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<Pair> {
  const mine: number[] = [];
  const other: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const oursFirst = round % 2 === 0;
    await untilQuiet();
    const first = await (oursFirst ? ours : theirs)();
    await untilQuiet();
    const second = await (oursFirst ? theirs : ours)();
    if (round === 0) continue;
    mine.push(oursFirst ? first : second);
    other.push(oursFirst ? second : first);
  }
  return { ours: median(mine), theirs: median(other) };
}

/** Median microseconds of one operation after the other. */
export async function latencyUs(times: number, side: Side): Promise<number> {
  const taken: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const from = process.hrtime.bigint();
    await side();
    taken.push(Number(process.hrtime.bigint() - from) / 1000);
  }
  return median(taken);
}

/** Operations per second with so many under way at any time. */
export async function throughput(times: number, inFlight: number, side: Side): Promise<number> {
  let remaining = times;
  const from = process.hrtime.bigint();
  const shard = async (): Promise<void> => {
    for (; remaining > 0;) {
      remaining -= 1;
      await side();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, shard));
  return (times * 1e9) / Number(process.hrtime.bigint() - from);
}

export interface Comparison extends Pair {
  what: string;
  beside: string;
  unit: string;
  theirNode?: string;
  cpu?: Readonly<Record<string, number>>;
}

export const atMost = (limit: number, compared: Comparison): Measured => {
  const ratio = compared.ours / compared.theirs;
  return { ...compared, ratio, target: `<= ${limit}`, met: ratio <= limit };
};

export const atLeast = (limit: number, compared: Comparison): Measured => {
  const ratio = compared.ours / compared.theirs;
  return { ...compared, ratio, target: `>= ${limit}`, met: ratio >= limit };
};

/** A figure to know: it has no target, and a check against the record still finds what falls behind. */
export const withoutTarget = (compared: Comparison): Measured => ({
  ...compared,
  ratio: compared.ours / compared.theirs,
  target: 'none',
  judged: 'none',
  met: true,
});
