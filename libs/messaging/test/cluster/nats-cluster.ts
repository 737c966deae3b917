import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@switchyard/testing';
import { type JetStreamManager, connect } from 'nats';
import { freePort, NATS_SERVER } from '../conformance/nats-process';

const SIZE = 3;

/** Three servers with replicated streams, to be stopped one by one. */
export class NatsCluster {
  private readonly home = mkdtempSync(join(tmpdir(), 'nats-cluster-'));
  private readonly children: ChildProcess[] = [];
  private readonly ports: number[] = [];

  static async start(): Promise<NatsCluster> {
    const cluster = new NatsCluster();
    await cluster.start();
    return cluster;
  }

  /** All servers, starting with this number. */
  urlFrom(first: number): string {
    return Array.from({ length: SIZE }, (_, at) => this.url((first + at) % SIZE)).join(',');
  }

  url(at: number): string {
    return `nats://127.0.0.1:${this.ports[at] ?? 0}`;
  }

  signal(at: number, signal: NodeJS.Signals): void {
    this.children[at]?.kill(signal);
  }

  async manager<T>(work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    const connection = await connect({ servers: this.urlFrom(0).split(',') });
    try {
      return await work(await connection.jetstreamManager({ timeout: 20_000 }));
    } finally {
      await connection.close();
    }
  }

  async publish(subject: string, count: number): Promise<void> {
    const connection = await connect({ servers: this.urlFrom(0).split(',') });
    const stream = connection.jetstream({ timeout: 20_000 });
    for (let n = 0; n < count; n += 1) await stream.publish(subject, String(n));
    await connection.close();
  }

  async remove(): Promise<void> {
    await Promise.all(
      this.children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
    rmSync(this.home, { recursive: true, force: true });
  }

  private async start(): Promise<void> {
    const routes: number[] = [];
    for (let at = 0; at < SIZE; at += 1) {
      this.ports.push(await freePort());
      routes.push(await freePort());
    }
    const all = routes.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
    for (const [at, port] of this.ports.entries()) {
      const file = join(this.home, `${at}.conf`);
      const cluster = `cluster { name: test, host: "127.0.0.1", port: ${routes[at] ?? 0}, routes: [${all}] }`;
      writeFileSync(
        file,
        `server_name: s${at}\nhost: "127.0.0.1"\nport: ${port}\njetstream { store_dir: "${this.home}/${at}", max_file_store: 4GB }\n${cluster}\n`,
      );
      this.children.push(spawn(NATS_SERVER, ['-c', file], { stdio: 'ignore' }));
    }
    // The cluster has formed and elected a leader.
    await until(() => this.manager((manager) => manager.getAccountInfo()), { timeoutMs: 60_000 });
  }
}
