import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '@switchyard/testing';
import { freePort } from '../../launcher/ports';
import type { Host } from '../hosts';

const PATIENCE = { timeoutMs: 240_000, everyMs: 50 };
const folder = mkdtempSync(path.join(os.tmpdir(), 'replacement-'));
const home = path.join(folder, 'home');
let running: Launcher | undefined;

afterAll(async () => {
  await running?.stop();
  for (const { pid } of processesOfHome()) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

interface HomeProcess {
  pid: number;
  text: string;
}

/** Processes with this home in their environment or their arguments. */
function processesOfHome(): HomeProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const text = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${name}/${file}`, 'latin1')).join('\0');
      return Number(name) !== process.pid && text.includes(home) ? [{ pid: Number(name), text }] : [];
    } catch {
      // No process, or one that has ended.
      return [];
    }
  });
}

interface LauncherEnd {
  code: number | null;
  /** Services that run on when the launcher has ended. */
  remaining: HomeProcess[];
}

/** `npm start`, as a process. */
class Launcher {
  output = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<LauncherEnd>;

  constructor(port: number) {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [path.resolve('dist/tools/launcher/start-command.js')], {
      env: {
        PATH,
        HOME,
        SWITCHYARD_HOME: home,
        GATEWAY_PORT: String(port),
        // The `.env` of this folder decides only what is not set here; servers that are empty are the launcher's own.
        SWITCHYARD_PROCESSES: 'hosts',
        DATABASE_URL: '',
        NATS_URL: '',
        REDIS_URL: '',
      },
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) =>
      child.once('exit', (code) => {
        resolve({ code, remaining: processesOfHome().filter(({ text }) => text.includes('dist/')) });
      }),
    );
    this.child = child;
  }

  async prints(text: string): Promise<void> {
    await until(() => this.output.includes(text), PATIENCE).catch((error: unknown) => {
      throw new Error(`the launcher did not print ${text}:\n${this.output}`, { cause: error });
    });
  }

  kill({ services }: Host, signal: NodeJS.Signals = 'SIGKILL'): void {
    const found = processesOfHome().filter(({ text }) => text.includes(`HOSTED_SERVICES=${services.join()}\0`));
    expect(found).toHaveLength(1);
    for (const { pid } of found) process.kill(pid, signal);
  }

  stop(): Promise<LauncherEnd> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

const TASKS: Host = { name: 'event-bus+task', services: ['event-bus', 'task'] };
const AGENTS: Host = { name: 'session+agent', services: ['session', 'agent'] };
const KEYS: Host = { name: 'key+job+dataset', services: ['key', 'job', 'dataset'] };

test('a stop leaves no process behind if it comes while services take the place of their host', async () => {
  const port = await freePort();
  const first = (running = new Launcher(port));
  await first.prints('Switchyard is up');
  // In order: it has lost no work, and its services share a process again.
  first.kill(KEYS, 'SIGTERM');
  await first.prints('key+job+dataset ended (code 0); starting it again');
  first.kill(TASKS);
  await first.prints('event-bus+task ended (SIGKILL); its services run in a process each');
  expect(await first.stop()).toEqual({ code: 0, remaining: [] });
  await until(() => processesOfHome().length === 0, PATIENCE);

  // Both at the same time, of a host that stops in two steps.
  const second = (running = new Launcher(port));
  await second.prints('Switchyard is up');
  expect(second.output).toMatch(
    /event-bus, task: a process each until the platform is started again after \d{4}-.* UTC, because they did not/,
  );
  expect(second.output.match(/: a process each/g)).toHaveLength(1);
  second.kill(AGENTS);
  expect(await second.stop()).toEqual({ code: 0, remaining: [] });
  await until(() => processesOfHome().length === 0, PATIENCE);
}, 600_000);
