import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Socket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StreamSizes, prepareStreams } from '@switchyard/messaging';

const nothing = (): void => undefined;
const log = { info: nothing, warn: nothing, error: nothing, debug: nothing };

export const NATS_SERVER =
  ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'].find((path) => existsSync(path)) ??
  'nats-server';

/** Below the ephemeral port range, so that no client connection takes it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 8_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(false);
    });
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new Socket();
    const done = (up: boolean): void => {
      socket.destroy();
      resolve(up);
    };
    socket.once('data', () => {
      done(true);
    });
    socket.once('error', () => {
      done(false);
    });
    socket.connect(port, '127.0.0.1');
  });
}

/** A NATS server for this suite, to be paused and killed. */
export class NatsProcess {
  private child: ChildProcess | undefined;
  private readonly home = mkdtempSync(join(tmpdir(), 'bus-nats-'));

  private constructor(
    private readonly port: number,
    private authorization: string,
  ) {}

  static async start(authorization = ''): Promise<NatsProcess> {
    const server = new NatsProcess(await freePort(), authorization);
    await server.start();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  private configure(): string {
    const file = join(this.home, 'nats.conf');
    writeFileSync(
      file,
      `host: "127.0.0.1"\nport: ${this.port}\nmax_payload: 1048576\njetstream { store_dir: "${join(this.home, 'data')}", max_file_store: 4GB }\n${this.authorization}`,
    );
    return file;
  }

  /** Reloads changed permissions while connections stay open. */
  authorize(authorization: string): void {
    this.authorization = authorization;
    this.configure();
    this.child?.kill('SIGHUP');
  }

  async start(): Promise<void> {
    const file = this.configure();
    this.child = spawn(NATS_SERVER, ['-c', file], { stdio: 'ignore' });
    const deadline = Date.now() + 30_000;
    while (!(await answers(this.port))) {
      if (Date.now() > deadline) throw new Error('nats-server did not start');
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await this.migrate();
  }

  /** Creates or updates the streams, as a deployment's migration does. */
  async migrate(sizes: StreamSizes = {}): Promise<void> {
    await prepareStreams({ natsUrl: this.url, sizes, log, withinMs: 30_000 });
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  wipe(): void {
    rmSync(join(this.home, 'data'), { recursive: true, force: true });
  }

  /** Returns when every thread is stopped: signals take a moment to arrive. */
  pause(): void {
    const { pid } = this.child ?? {};
    if (pid === undefined) throw new Error('nats-server does not run');
    process.kill(pid, 'SIGSTOP');
    const stands = (thread: string): boolean =>
      readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1]?.startsWith('T') ?? false;
    while (!readdirSync(`/proc/${pid}/task`).every(stands));
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  async remove(): Promise<void> {
    this.resume();
    await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }
}
