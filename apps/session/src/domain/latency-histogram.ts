import type { AgentLatency, LatencyInterval, LatencyNumbers, LatencyQuery } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_INTERVALS = 1000;

/** Each is so much longer than the one before that its middle is within 5% of all that is in it. */
export const STEPS_A_DOUBLING = 8;

/** How many turns there are of each length. Sums of them are the same whichever is added first. */
export type Durations = Readonly<Record<string, number>>;

export interface LatencySum {
  /** When its hour begins. */
  hour: string;
  count: number;
  failed: number;
  longestMs: number;
  durations: Durations;
}

export interface LatencyWindow {
  from: string;
  to: string;
  interval: LatencyInterval;
}

export function latencyWindow({ from, to, interval = 'hour' }: LatencyQuery, now: Date): LatencyWindow {
  const lengthMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const end = to === undefined ? now : new Date(to);
  const start =
    from === undefined ? new Date(end.getTime() - (interval === 'hour' ? DAY_MS : 30 * DAY_MS)) : new Date(from);
  if (start >= end) throw invalid('from', 'must be before `to`');
  if (end.getTime() - start.getTime() > MAX_INTERVALS * lengthMs)
    throw invalid('from', `must be at most ${MAX_INTERVALS} intervals before \`to\``);
  return { from: start.toISOString(), to: end.toISOString(), interval };
}

/** Sums of hours, which may come in parts, as the reader asked for them. */
export function latencyOf(window: LatencyWindow, sums: readonly LatencySum[]): AgentLatency {
  const lengthMs = window.interval === 'hour' ? HOUR_MS : DAY_MS;
  const parts = new Map<number, LatencySum[]>();
  for (const sum of sums) {
    const begin = Math.floor(Date.parse(sum.hour) / lengthMs) * lengthMs;
    parts.set(begin, [...(parts.get(begin) ?? []), sum]);
  }
  const overTime = [...parts]
    .toSorted(([before], [after]) => before - after)
    .map(([begin, of]) => ({ at: new Date(begin).toISOString(), ...numbersOf(of) }));
  return { ...window, total: numbersOf(sums), overTime };
}

function numbersOf(sums: readonly LatencySum[]): LatencyNumbers {
  const count = sums.reduce((sum, one) => sum + one.count, 0);
  const failed = sums.reduce((sum, one) => sum + one.failed, 0);
  if (count === 0) return { count, failed, p50Ms: null, p95Ms: null, longestMs: null };
  const longestMs = Math.max(...sums.map((one) => one.longestMs));
  const steps = new Map<number, number>();
  for (const { durations } of sums)
    for (const [step, n] of Object.entries(durations)) steps.set(Number(step), (steps.get(Number(step)) ?? 0) + n);
  const rising = [...steps].toSorted(([shorter], [longer]) => shorter - longer);
  const at = (share: number): number => Math.min(longestMs, msAt(rising, Math.ceil(share * count)));
  return { count, failed, p50Ms: at(0.5), p95Ms: at(0.95), longestMs };
}

/** Duration of the turn at this rank, shortest first. */
function msAt(rising: readonly (readonly [step: number, n: number])[], rank: number): number {
  let passed = 0;
  for (const [step, n] of rising) {
    passed += n;
    if (passed >= rank) return Math.round(2 ** ((step + 0.5) / STEPS_A_DOUBLING));
  }
  return 0;
}
