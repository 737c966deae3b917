import { readFileSync, readdirSync } from 'node:fs';
import { median } from './measure';

const NS_A_MS = 1e6;

/** Content of a /proc file; empty if the process or thread has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The milliseconds that a process has run, in all of its threads, in itself and for itself. */
export function cpuOf(pid: number): number {
  let ns = 0;
  for (const thread of list(`/proc/${pid}/task`))
    ns += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]);
  return ns / NS_A_MS;
}

/** Fields after the process name, which can contain any character: state, then parent. */
const statOf = (pid: number): string[] =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');

const MS_A_TICK = 10;

/** The milliseconds that those have run which it had started, and which have ended. */
const cpuOfEnded = (pid: number): number => {
  const [user = '0', system = '0'] = statOf(pid).slice(13, 15);
  return (Number(user) + Number(system)) * MS_A_TICK;
};

/** Of each process those that it has started: Postgres works in a process per connection. */
function childrenOfAll(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const pid of list('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const parent = Number(statOf(Number(pid))[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(pid)]);
  }
  return children;
}

export type Pids = Readonly<Record<string, number | null | undefined>>;

function cpuOfAll(pids: Pids): Record<string, number> {
  const children = childrenOfAll();
  const withChildren = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + cpuOf(child), cpuOf(pid) + cpuOfEnded(pid));
  const used: Record<string, number> = {};
  for (const [name, pid] of Object.entries(pids)) {
    if (typeof pid !== 'number') continue;
    // Servers and services are children of the one that measures.
    used[name] = pid === process.pid ? cpuOf(pid) : withChildren(pid);
  }
  return used;
}

/** Less than this is what a process does while it is idle. */
const MIN_US = 1;

/**
 * The processor time of one operation, in each process that has a part in it: the figure that hardly depends on what
 * else the machine does.
 */
export class CpuPerOperation {
  private readonly seen: Record<string, number>[] = [];

  constructor(private readonly pids: Pids) {}

  /** Measures a round of so many operations. */
  async during<T>(operations: number, work: () => Promise<T>): Promise<T> {
    const before = cpuOfAll(this.pids);
    const result = await work();
    const after = cpuOfAll(this.pids);
    this.seen.push(
      Object.fromEntries(
        Object.entries(after).map(([name, ms]) => [name, ((ms - (before[name] ?? 0)) * 1000) / operations]),
      ),
    );
    return result;
  }

  /** Median microseconds of all rounds but the first, which warms up; the most expensive process first. */
  result(): Record<string, number> {
    const rounds = this.seen.length > 1 ? this.seen.slice(1) : this.seen;
    return Object.fromEntries(
      Object.keys(this.pids)
        .map((name): [string, number] => [name, median(rounds.map((round) => round[name] ?? 0))])
        .filter(([, us]) => us >= MIN_US)
        .sort(([, a], [, b]) => b - a),
    );
  }
}

/** Postgres, NATS and Redis included: they work for us. */
const NOT_OF_PLATFORM = new Set(['simulator', 'caller']);

export const oursUs = (cpu: Readonly<Record<string, number>>): number =>
  Object.entries(cpu).reduce((sum, [name, us]) => (NOT_OF_PLATFORM.has(name) ? sum : sum + us), 0);

/** As a line of a report says it. */
export function cpuText(cpu: Readonly<Record<string, number>>): string {
  const parts = Object.entries(cpu).map(([name, us]) => `${name} ${us.toFixed(0)}`);
  const whole = Object.values(cpu).reduce((sum, us) => sum + us, 0);
  return parts.length === 0 ? '' : `${whole.toFixed(0)} us: ${parts.join(', ')}`;
}
