import type { ArmedFailpoint, Failpoint } from '@switchyard/kernel';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fetch } from 'undici';
import type { PlatformState } from './platform-state';
import { type Patience, until } from './until';

/** A process that works all the time is frozen wherever it is. */
const IDLE_WITHIN_MS = 200;

/** One process of the platform: a service, a further replica of one (`agent-2`), the simulator, `postgres`, `nats` or `redis`. */
export class ProcessHandle {
  constructor(
    readonly name: string,
    private readonly state: () => PlatformState,
  ) {}

  get pid(): number | null {
    return this.state().pids[this.name] ?? null;
  }

  /** Sends the signal and waits until the process is gone. The supervisor starts another one at once. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const pid = this.signal(signal);
    await until(() => !isAlive(pid) || this.pid !== pid, { timeoutMs: 35_000, everyMs: 5 });
  }

  /** Runs, answers, and (for a service) reports ready. */
  async ready(patience: Patience = { timeoutMs: 60_000 }): Promise<void> {
    await until(async () => this.pid !== null && (await this.answers()), patience);
  }

  /** Kills it without warning and waits until its successor is ready. */
  async crash(): Promise<void> {
    await this.kill('SIGKILL');
    await this.ready();
  }

  /** Stops it in order; nothing starts it again until `start`. */
  stop(): Promise<void> {
    return this.control('stop');
  }

  /** With `settings` as environment variables, until it is started anew without them. */
  start(settings: Record<string, string> = {}): Promise<void> {
    return this.control('start', settings);
  }

  /** Stops it in order and starts it again, with other settings. */
  async restart(settings: Record<string, string> = {}): Promise<void> {
    await this.stop();
    await this.start(settings);
  }

  /** NATS only: kills it, deletes its streams from the disk, starts it again. */
  wipe(): Promise<void> {
    return this.control('wipe');
  }

  /** Freezes it between two pieces of work; `resume` lets it go on. Frozen in one, it would finish that first. */
  pause(): void {
    const end = Date.now() + IDLE_WITHIN_MS;
    while (this.pid !== null && Date.now() < end && !isWaiting(this.pid));
    this.signal('SIGSTOP');
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  /** The coming hit of this place in its code (or the `atHit`th) ends, stops, fails or delays the process. */
  async arm(
    name: Failpoint,
    action: ArmedFailpoint['action'],
    more: { atHit?: number; delayMs?: number } = {},
  ): Promise<void> {
    await this.failpoints({ name, action, ...more });
  }

  /** How often the process has passed each of its failpoints. */
  async hits(): Promise<Partial<Record<Failpoint, number>>> {
    return (await this.failpoints()).hits;
  }

  /** Those that have not acted yet. */
  async armed(): Promise<Failpoint[]> {
    return (await this.failpoints()).armed;
  }

  /** Value at the next scrape: the sum over the series with this name and these labels. */
  async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    const text = await (await fetch(`${this.state().internalUrls[this.name] ?? ''}/metrics`)).text();
    const requested = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const series = text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) && requested.every((label) => line.includes(label)));
    if (series.length === 0) throw new Error(`${this.name} does not count ${name} ${requested.join()}`);
    return series.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  private async failpoints(order?: object): Promise<FailpointState> {
    if (order) this.mustBeOurs();
    const url = `${this.state().internalUrls[this.name] ?? ''}/failpoints`;
    const response = await fetch(url, order ? { method: 'POST', body: JSON.stringify(order) } : {});
    if (!response.ok) throw new Error(`no failpoints in ${this.name}: ${response.status} ${await response.text()}`);
    return (await response.json()) as FailpointState;
  }

  private signal(signal: NodeJS.Signals): number {
    this.mustBeOurs();
    const pid = this.pid;
    if (pid === null) throw new Error(`${this.name} does not run`);
    process.kill(pid, signal);
    return pid;
  }

  private mustBeOurs(): void {
    if (process.env.SWITCHYARD_TEST_SHARED)
      throw new Error(`Other tests need ${this.name} at this time: what disturbs it belongs into a .faults-spec.ts`);
  }

  private async control(action: string, settings: Record<string, string> = {}): Promise<void> {
    this.mustBeOurs();
    const url = `${this.state().controlUrl}/${action}/${this.name}?${new URLSearchParams(settings).toString()}`;
    const response = await fetch(url, { method: 'POST' });
    if (!response.ok) throw new Error(`could not ${action} ${this.name}: ${await response.text()}`);
  }

  private async answers(): Promise<boolean> {
    const state = this.state();
    const servers: Record<string, string> = {
      postgres: state.databaseUrl,
      nats: state.natsUrl,
      'nats-services': state.natsApiUrl,
      redis: state.redisUrl,
      simulator: state.simulatorUrl,
    };
    const serverUrl = servers[this.name];
    if (serverUrl) return accepts(new URL(serverUrl));
    const response = await fetch(`${state.internalUrls[this.name] ?? ''}/health/ready`);
    return response.status === 200;
  }
}

/** As Linux tells it; elsewhere every moment is as good as another. */
function isWaiting(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('S');
  } catch {
    return true;
  }
}

interface FailpointState {
  hits: Partial<Record<Failpoint, number>>;
  armed: Failpoint[];
}

function accepts(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
