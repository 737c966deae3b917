import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '@switchyard/testing';
import { Client } from 'pg';
import type { Home } from '../../home/home';
import { freePort } from '../../ports';
import { runToEnd } from '../../processes/transient';
import { Progress } from '../../progress';
import { findBinary } from '../../servers/binaries';
import { preparePostgresData } from '../../servers/postgres-data';
import { unprivilegedUser } from '../../servers/unprivileged-user';

/** Servers of one test, by name: the first is made new, the others are copies of it. */
export class OwnPostgres {
  protected readonly user = unprivilegedUser();
  protected folder = '';
  private readonly children = new Map<string, ChildProcess>();
  private readonly ports = new Map<string, number>();

  constructor(
    private readonly home: Home,
    private readonly password: string,
  ) {}

  urlOf(...names: string[]): string {
    const hosts = names.map((name) => `127.0.0.1:${this.ports.get(name) ?? 0}`).join(',');
    return `postgres://switchyard:${this.password}@${hosts}/switchyard`;
  }

  async run(name: string, settings: Record<string, string | number> = {}): Promise<void> {
    const port = this.ports.get(name) ?? (await freePort());
    this.ports.set(name, port);
    const all = {
      ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '' },
      ...{ max_connections: 100, shared_buffers: '32MB', ...settings },
    };
    const flags = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const args = ['-D', this.data(name), ...flags];
    this.children.set(name, spawn(binary('postgres'), args, { stdio: 'ignore', cwd: this.folder, ...this.user }));
    await until(() => this.ask(name, 'select 1'), { timeoutMs: 60_000 });
  }

  async kill(name: string): Promise<void> {
    const child = this.children.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async ask(name: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.urlOf(name), connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  async remove(): Promise<void> {
    await Promise.all([...this.children.keys()].map((name) => this.kill(name)));
    if (this.folder !== '') rmSync(this.folder, { recursive: true, force: true });
  }

  protected async make(): Promise<void> {
    const binaries = { initdb: binary('initdb'), postgres: binary('postgres') };
    const options = { user: this.user, password: this.password, progress: new Progress(() => undefined) };
    this.folder = (await preparePostgresData(this.home, binaries, options)).folder;
  }

  /** Where the server keeps its data. */
  protected data(name: string): string {
    return join(this.folder, name === 'primary' ? 'data' : name);
  }

  /** Copies the primary while it runs. */
  protected async copyTo(name: string, ...flags: string[]): Promise<void> {
    const command = join(dirname(realpathSync(binary('postgres'))), 'pg_basebackup');
    const { code, stderr } = await runToEnd(
      command,
      ['-d', this.urlOf('primary'), '-D', this.data(name), '-c', 'fast', '--no-sync', ...flags],
      { cwd: this.folder, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...this.user },
    );
    if (code !== 0) throw new Error(stderr);
  }
}

const binary = (name: Parameters<typeof findBinary>[0]): string => findBinary(name) ?? name;
