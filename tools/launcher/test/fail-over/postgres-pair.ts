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

type Part = 'primary' | 'standby';

/** A Postgres, and a second one that repeats each commit before it is acknowledged: what is promised at one is at both. */
export class PostgresPair {
  private readonly children: Partial<Record<Part, ChildProcess>> = {};
  private readonly ports = { primary: 0, standby: 0 };
  private readonly user = unprivilegedUser();
  private folder = '';

  constructor(
    private readonly home: Home,
    private readonly password: string,
  ) {}

  /** Both in one address, as services are given them. */
  get url(): string {
    const { primary, standby } = this.ports;
    return `postgres://switchyard:${this.password}@127.0.0.1:${primary},127.0.0.1:${standby}/switchyard`;
  }

  async start(): Promise<void> {
    this.ports.primary = await freePort();
    this.ports.standby = await freePort();
    const binaries = { initdb: binary('initdb'), postgres: binary('postgres') };
    const prepared = { user: this.user, password: this.password, progress: new Progress(() => undefined) };
    this.folder = (await preparePostgresData(this.home, binaries, prepared)).folder;
    await this.run('primary');
    await this.copy();
    await this.run('standby');
    await this.ask('primary', `alter system set synchronous_standby_names = '*'`);
    await this.ask('primary', 'select pg_reload_conf()');
    await until(
      async () => (await this.ask('primary', `select 1 from pg_stat_replication where sync_state = 'sync'`))[0],
    );
  }

  async run(part: Part): Promise<void> {
    const settings = {
      ...{ port: this.ports[part], listen_addresses: '127.0.0.1', unix_socket_directories: '' },
      ...{ max_connections: 100, shared_buffers: '32MB', wal_keep_size: '256MB' },
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = ['-D', this.data(part), ...flags];
    this.children[part] = spawn(binary('postgres'), args, { stdio: 'ignore', cwd: this.folder, ...this.user });
    await until(() => this.ask(part, 'select 1'));
  }

  async kill(part: Part): Promise<void> {
    const child = this.children[part];
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  promote(): Promise<unknown> {
    return this.ask('standby', 'select pg_promote(true, 60)');
  }

  async ask(part: Part, sql: string): Promise<Record<string, unknown>[]> {
    const connectionString = `postgres://switchyard:${this.password}@127.0.0.1:${this.ports[part]}/switchyard`;
    const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  async remove(): Promise<void> {
    await Promise.all([this.kill('primary'), this.kill('standby')]);
    if (this.folder !== '') rmSync(this.folder, { recursive: true, force: true });
  }

  private data(part: Part): string {
    return join(this.folder, part === 'primary' ? 'data' : 'standby');
  }

  private async copy(): Promise<void> {
    const command = join(dirname(realpathSync(binary('postgres'))), 'pg_basebackup');
    const args = ['-h', '127.0.0.1', '-p', String(this.ports.primary), '-U', 'switchyard', '-D', this.data('standby')];
    const { code, stderr } = await runToEnd(command, [...args, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C', PGPASSWORD: this.password },
      ...this.user,
    });
    if (code !== 0) throw new Error(stderr);
  }
}

const binary = (name: Parameters<typeof findBinary>[0]): string => findBinary(name) ?? name;
