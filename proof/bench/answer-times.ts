import type { TestPlatform } from '@switchyard/testing';
import { cpuOf } from './cpu';
import { median } from './measure';
import { PlanLog } from './plan-log';
import type { Measured } from './row';

const LIMIT_MS = 50;
const WARM_UP = 5;
const TIMES = 60;
/** A question is not asked again after so long: one that is this slow misses its limit with fewer answers too. */
const LONGEST_MS = 8_000;

export type MeasuredCall = [what: string, ask: (turn: number) => Promise<unknown>];

/** Milliseconds that half of the answers, and 95 of 100, stay under, and what one of them takes of the service's processor. */
async function costMs(
  ask: (turn: number) => Promise<unknown>,
  cpuMs: () => number,
): Promise<{ p50: number; p95: number; cpu: number }> {
  const taken: number[] = [];
  const before = cpuMs();
  const end = Date.now() + LONGEST_MS;
  let turn = 0;
  for (; turn < WARM_UP + TIMES && (taken.length === 0 || Date.now() < end); turn += 1) {
    const from = process.hrtime.bigint();
    await ask(turn);
    if (turn >= WARM_UP) taken.push(Number(process.hrtime.bigint() - from) / 1e6);
  }
  taken.sort((a, b) => a - b);
  const cpu = (cpuMs() - before) / turn;
  return { p50: median(taken), p95: taken[Math.floor(taken.length * 0.95)] ?? NaN, cpu };
}

interface MeasuredService {
  platform: TestPlatform;
  service: string;
  report: (line: string) => void;
}

/**
 * How long a service takes to answer each question, one after the other, beside the limit of lists and counts; and then,
 * asked once more, by what plan it found the answer.
 */
export async function answerTimes(
  questions: readonly MeasuredCall[],
  { platform, service, report }: MeasuredService,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [what, ask] of questions) {
    const { p50, p95: ours, cpu } = await costMs(ask, () => cpuOf(platform.state.pids[service] ?? NaN));
    const rest = `95 of 100 under ${ours.toFixed(1)} ms, ${cpu.toFixed(1)} ms of the service's processor`;
    report(`${what}: ${p50.toFixed(1)} ms, ${rest}`);
    const ratio = ours / LIMIT_MS;
    const shape = { beside: 'limit', theirs: LIMIT_MS, unit: 'ms, p95', target: '<= 1' } as const;
    measured.push({ what, ...shape, ours, ratio, met: ratio <= 1 });
  }
  const plans = await PlanLog.start(platform, service);
  for (const [at, [what, ask]] of questions.entries()) {
    const row = measured[at];
    if (!row) continue;
    row.plan = await plans.of(() => ask(at));
    report(`${what}: ${row.plan}`);
  }
  return measured;
}
