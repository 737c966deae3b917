import { type TestPlatform, until } from '@switchyard/testing';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '../audit';
import { collect, untilQuiet } from '../findings';
import { everythingUp } from '../faults';
import { History, type LoggedOperation } from '../history';
import { violationsIn } from '../invariants';
import { Load } from '../load';
import { Random } from '../random';
import { keepSentEvents } from '../repeats';
import { type Scene, setScene } from '../scene';
import type { Violation } from '../violations';
import { SmallDisk } from './small-disk';

export interface DiskOptions {
  seed: number;
  emissions: number;
  callers: number;
  perSecond: number;
  quietMs: number;
  print: (line: string) => void;
}

interface Recovery {
  accepted: number;
  executed: number | null;
  /** A NATS whose store has failed takes nothing more until it is started anew: what an operator does. */
  needsRestart: boolean;
}

export interface DiskReport {
  seed: number;
  accepted: number;
  /** Answers to what was sent while the disk of a server was full. */
  whileFull: Record<string, Record<string, number>>;
  /** From the moment that there is room again to the first emission that is accepted, and to its execution. */
  recoveredMs: Record<string, Recovery>;
  violations: Violation[];
}

const FULL_MS = 20_000;
const BY_ITSELF_WITHIN_MS = 30_000;
const RECOVERED_WITHIN_MS = 60_000;
const DISK_MB = { postgres: 1024, nats: 64 };

type Filled = keyof typeof DISK_MB;

/** One server's disk after the other's is full for a while: what is accepted stays, and the rest is refused. */
export async function runDisk(platform: TestPlatform, options: DiskOptions): Promise<DiskReport> {
  const { seed, print } = options;
  const scene = await setScene(platform);
  await keepSentEvents(platform);
  await audit(platform, 'task.executions');
  const history = new History(path.join(platform.state.home, `disk-${seed}.jsonl`));
  const giveUpAt = Date.now() + 600_000;
  const disks: SmallDisk[] = [];
  const report: DiskReport = { seed, accepted: 0, whileFull: {}, recoveredMs: {}, violations: [] };
  try {
    for (const server of ['nats', 'postgres'] as const) disks.push(await moveToSmallDisk(platform, server));
    const load = new Load(scene, history, new Random(seed), { ...options, giveUpAt });
    const loading = load.run();
    for (const [at, server] of (['nats', 'postgres'] as const).entries()) {
      await until(() => load.accepted >= (options.emissions / 10) * (at + 1), { timeoutMs: 120_000 });
      print(`  ${load.accepted} accepted: the disk of ${server} is full`);
      const fullAt = Date.now();
      disks[at]?.fill();
      await sleep(FULL_MS);
      disks[at]?.free();
      const freeAt = Date.now();
      print(`  ${load.accepted} accepted: there is room again`);
      report.whileFull[server] = answersIn(history.operations, fullAt, freeAt);
      report.recoveredMs[server] = await recovery(platform, scene, history, { server, freeAt });
      print(`  recovered: ${JSON.stringify(report.recoveredMs[server])}`);
    }
    await loading;
    await everythingUp(platform);
    await untilQuiet(platform, scene, options.quietMs, print);
    report.accepted = load.accepted;
    report.violations = [
      ...violationsIn(await collect(platform, scene, history.operations)),
      ...Object.entries(report.whileFull).flatMap(([server, answers]) => strangeAnswers(server, answers)),
      ...Object.entries(report.recoveredMs).flatMap(([server, { executed }]) =>
        executed === null ? [{ rule: 'what was full recovers', detail: server }] : [],
      ),
    ];
    return report;
  } finally {
    history.close();
    for (const disk of disks) await disk.close();
  }
}

async function moveToSmallDisk(platform: TestPlatform, server: Filled): Promise<SmallDisk> {
  const [row] = await platform.database.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
  const folder = server === 'postgres' ? (row?.folder ?? '') : path.join(platform.state.home, 'nats/store');
  await platform.server(server).stop();
  const disk = await SmallDisk.under(folder, DISK_MB[server]);
  await platform.server(server).start();
  await everythingUp(platform);
  return disk;
}

function answersIn(operations: readonly LoggedOperation[], from: number, to: number): Record<string, number> {
  const answers: Record<string, number> = {};
  for (const { startedAt, endedAt, status } of operations) {
    if (startedAt < from || endedAt > to) continue;
    const name = String(status ?? 'none in 5 s');
    answers[name] = (answers[name] ?? 0) + 1;
  }
  return answers;
}

const EXPECTED = new Set(['200', '202', '400', '409', '503']);

const strangeAnswers = (server: string, answers: Record<string, number>): Violation[] =>
  Object.entries(answers).flatMap(([status, count]) =>
    EXPECTED.has(status)
      ? []
      : [
          {
            rule: 'an emission is accepted or refused while a disk is full',
            detail: `${server}: ${count} times ${status}`,
          },
        ],
  );

async function recovery(
  platform: TestPlatform,
  { space }: Scene,
  history: History,
  { server, freeAt }: { server: Filled; freeAt: number },
): Promise<Recovery> {
  const first = await until(
    () => history.operations.find(({ outcome, startedAt }) => outcome === 'accepted' && startedAt >= freeAt),
    { timeoutMs: RECOVERED_WITHIN_MS },
  );
  const accepted = first.endedAt - freeAt;
  const isExecuted = async (): Promise<boolean> => {
    const rows = await platform.database.query(
      `select 1 from task.executions where space_id = $1 and causation_id = $2 and status = 'SUCCEEDED'`,
      [space.id, first.envelopeId],
    );
    return rows.length > 0;
  };
  const executedAfter = (timeoutMs: number): Promise<number | null> =>
    until(isExecuted, { timeoutMs }).then(
      () => Date.now() - freeAt,
      () => null,
    );
  const byItself = await executedAfter(BY_ITSELF_WITHIN_MS);
  if (byItself !== null) return { accepted, executed: byItself, needsRestart: false };
  await platform.server(server).kill();
  await platform.server(server).ready();
  return { accepted, executed: await executedAfter(RECOVERED_WITHIN_MS), needsRestart: true };
}
