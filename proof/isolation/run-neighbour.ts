import { setTimeout as sleep } from 'node:timers/promises';
import type { TestPlatform, TestSpace } from '@switchyard/testing';
import { SERVICES } from '../../tools/launcher/service-names';
import { Hostile } from './hostile';
import type { Neighbour } from './neighbour';
import { type AttackOutcome, isOurFault, grewTooMuch, p95OfEach, slowed, slowerOf } from './outcome';
import { memoryGrowth, memoryOf } from './process-memory';
import type { VictimReport } from './victim';
import type { VictimHandle } from './victim-handle';

export interface Measure {
  victim: VictimHandle;
  /** The victim's times before the attack. */
  quiet: AttackOutcome['quiet'];
  quietMs: number;
  attackMs: number;
}

const KEYS = 6;
/** How long memory may take to come back. */
const RECOVER_MS = 60_000;
const PREPARE_MS = 300_000;
const REFUSED_WITHIN_MS = 40_000;

/** Attacks, and hands back what the attack was answered. */
export async function attackOnce(
  platform: TestPlatform,
  row: Neighbour,
  attackMs: number,
  isShort: boolean,
  onBegin: () => void = () => undefined,
): Promise<{ statuses: AttackOutcome['statuses']; broken: string[] }> {
  // Wait until processes ended by the previous attack are up again.
  const running = SERVICES.filter((name) => name in platform.state.pids);
  await Promise.all(running.map((name) => platform.service(name).ready()));
  const before = { ...platform.state.pids };
  const space = await platform.newSpace();
  const keys = await Promise.all(Array.from({ length: KEYS }, () => space.key()));
  const ending = new AbortController();
  const { signal } = ending;
  const hostile = new Hostile(
    platform.url,
    keys.map(({ credential }) => credential),
    signal,
  );
  const scene = { platform, space, hostile, signal, size: (short: number, full: number) => (isShort ? short : full) };
  const late = setTimeout(() => ending.abort(), PREPARE_MS);
  try {
    const attack = await row.prepare(scene);
    clearTimeout(late);
    onBegin();
    const attacking = attack.run().catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    await Promise.race([sleep(attackMs), attacking]);
    await untilRefused(row, hostile);
    ending.abort();
    await attacking;
    attack.close?.();
  } finally {
    clearTimeout(late);
    ending.abort();
    await hostile.close();
    await endWork(space);
  }
  return { statuses: Object.fromEntries(hostile.statuses), broken: brokenBy(row, hostile, before, platform) };
}

/** An attack's queue would occupy workers and turns for an hour: deleting its agents and tasks ends it at once. */
async function endWork({ owner }: TestSpace): Promise<void> {
  for (const kind of ['tasks', 'agents']) {
    const answer = await owner.get(`/${kind}?limit=100`);
    const { data = [] } = answer.body as { data?: { id: string }[] };
    for (const { id } of data) await owner.delete(`/${kind}/${id}`);
  }
}

/** A refusal may need longer than a short attack, on a machine that is busy. */
async function untilRefused({ refusals }: Neighbour, hostile: Hostile): Promise<void> {
  if (!refusals) return;
  for (const deadline = Date.now() + REFUSED_WITHIN_MS; hostile.count(...refusals) === 0 && Date.now() < deadline;)
    await sleep(100);
}

function brokenBy(
  { refusals }: Neighbour,
  hostile: Hostile,
  before: Record<string, number | null>,
  platform: TestPlatform,
): string[] {
  const { pids } = platform.state;
  const died = Object.keys(before).filter((name) => pids[name] !== before[name]);
  const isRead = refusals?.includes(400) === true || hostile.count(400, 404, 422) === 0;
  const ours = [...hostile.statuses].filter(([status]) => isOurFault(status));
  return [
    ...died.map((name) => `${name} died`),
    ...ours.map(([status, count]) => `${count} answers of ${status}: ${hostile.failures.join('; ')}`),
    ...(isRead ? [] : ['the attack asks for what is no valid request']),
    ...(refusals && hostile.count(...refusals) === 0 ? [`nothing was refused with ${refusals.join(' or ')}`] : []),
  ];
}

export async function quietTimes(victim: VictimHandle, quietMs: number): Promise<AttackOutcome['quiet']> {
  const measure = async (ms: number): Promise<VictimReport> => {
    victim.start();
    await sleep(ms);
    return victim.stop();
  };
  // Compilation and connections of the first calls do not belong to an attack.
  await measure(quietMs / 3);
  return p95OfEach(await measure(quietMs));
}

/** The whole row: times under attack, and what is left behind. */
export async function measureNeighbour(
  platform: TestPlatform,
  row: Neighbour,
  { victim, quiet, quietMs, attackMs }: Measure,
): Promise<AttackOutcome> {
  const before = await memoryOf(platform);
  const answered = await attackOnce(platform, row, attackMs, false, () => victim.start());
  const attacked = await victim.stop();
  const stored = await memoryGrowth(platform, before, RECOVER_MS);
  // The budget is a multiple of the times without neighbours. Other work of the machine slows both, so they are
  // measured on either side of the attack, and the slower one counts.
  const quietAfter = await quietTimes(victim, quietMs);
  const times = { quiet: slowerOf(quiet, quietAfter), attacked: p95OfEach(attacked) };
  return {
    name: row.name,
    bound: row.bound,
    statuses: answered.statuses,
    ...times,
    quietAfter,
    memoryGrowth: stored,
    broken: [
      ...answered.broken,
      ...slowed(times.quiet, times.attacked),
      ...grewTooMuch(stored),
      ...new Set(attacked.failed.map((failure) => `victim: ${failure.slice(0, 160)}`)),
    ],
  };
}
