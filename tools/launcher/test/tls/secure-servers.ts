import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { natsServerConfig } from '@switchyard/messaging';
import { until } from '@switchyard/testing';
import { natsUsersOf } from '../../../deploy/container-env';
import type { Home } from '../../home/home';
import type { Secrets } from '../../home/secrets';
import { freePort } from '../../ports';
import { Progress } from '../../progress';
import { findBinary } from '../../servers/binaries';
import { preparePostgresData } from '../../servers/postgres-data';
import { giveTo, unprivilegedUser } from '../../servers/unprivileged-user';
import type { Certificate } from './certificates';

/** Postgres, NATS and Redis that require TLS, all with the same certificate. */
export class SecureServers {
  private readonly children: ChildProcess[] = [];
  private readonly ports = { postgres: 0, nats: 0, redis: 0 };
  private readonly user = unprivilegedUser();
  private certFile = '';
  private keyFile = '';
  private data = '';

  constructor(
    private readonly home: Home,
    private readonly secrets: Secrets,
  ) {}

  get urls(): { postgres: string; nats: string; redis: string } {
    const { databaseAdminPassword, redisPassword } = this.secrets;
    return {
      postgres: `postgres://switchyard:${databaseAdminPassword}@localhost:${this.ports.postgres}/switchyard?sslmode=verify-full`,
      nats: `tls://localhost:${this.ports.nats}`,
      redis: `rediss://:${redisPassword}@localhost:${this.ports.redis}`,
    };
  }

  async start(certificate: Certificate): Promise<void> {
    for (const name of Object.keys(this.ports) as (keyof typeof this.ports)[]) this.ports[name] = await freePort();
    const { databaseAdminPassword: password } = this.secrets;
    const progress = new Progress();
    const binaries = { initdb: binary('initdb'), postgres: binary('postgres') };
    const { folder, data } = await preparePostgresData(this.home, binaries, { user: this.user, password, progress });
    this.data = data;
    this.certFile = join(folder, 'server.crt');
    this.keyFile = join(folder, 'server.key');
    const onlyWithTls = join(folder, 'hba.conf');
    writeFileSync(onlyWithTls, 'hostssl all all all scram-sha-256\n');
    giveTo(onlyWithTls, this.user);
    this.put(certificate);
    this.run(binaries.postgres, this.postgresFlags(onlyWithTls), this.user);
    await this.runNatsAndRedis();
  }

  /** From now on they show another one. */
  async show(certificate: Certificate): Promise<void> {
    this.put(certificate);
    const [postgres] = this.children;
    postgres?.kill('SIGHUP');
    await Promise.all(this.children.slice(1, 3).map(end));
    await this.runNatsAndRedis();
  }

  /** One that knows nothing of TLS, with the same users. */
  async startPlainNats(): Promise<string> {
    const port = await freePort();
    const file = this.home.file('plain.conf');
    const storeDir = this.home.folder('plain');
    writeFileSync(file, natsServerConfig({ host: 'localhost', port, storeDir, ...natsUsersOf(this.secrets, {}) }));
    this.run(binary('nats-server'), ['-c', file]);
    return `localhost:${port}`;
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map(end));
    rmSync(this.data, { recursive: true, force: true });
  }

  private async runNatsAndRedis(): Promise<void> {
    this.run(binary('nats-server'), ['-c', this.natsConfig()]);
    this.run(binary('redis-server'), this.redisFlags());
    await until(() => this.listens('nats'));
    await until(() => this.listens('redis'));
  }

  private put({ certFile, keyFile }: Certificate): void {
    copyFileSync(certFile, this.certFile);
    copyFileSync(keyFile, this.keyFile);
    giveTo(this.keyFile, this.user);
  }

  private postgresFlags(hba: string): string[] {
    const settings = {
      ...{ port: this.ports.postgres, listen_addresses: 'localhost', unix_socket_directories: '', hba_file: hba },
      ...{ ssl: 'on', ssl_cert_file: this.certFile, ssl_key_file: this.keyFile, fsync: 'off' },
    };
    return ['-D', this.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  }

  private natsConfig(): string {
    const file = this.home.file('nats.conf');
    const storeDir = this.home.folder('nats');
    const users = natsUsersOf(this.secrets, {});
    const ours = natsServerConfig({ host: 'localhost', port: this.ports.nats, storeDir, ...users });
    writeFileSync(file, `${ours}tls { cert_file: "${this.certFile}", key_file: "${this.keyFile}" }\n`);
    return file;
  }

  private redisFlags(): string[] {
    const tls = { cert: this.certFile, key: this.keyFile };
    return [
      ...['--port', '0', '--tls-port', String(this.ports.redis), '--bind', '127.0.0.1', '--save', ''],
      ...['--tls-cert-file', tls.cert, '--tls-key-file', tls.key, '--tls-auth-clients', 'no'],
      ...['--requirepass', this.secrets.redisPassword],
    ];
  }

  private run(command: string, args: string[], user?: { uid: number; gid: number }): void {
    this.children.push(spawn(command, args, { stdio: 'ignore', cwd: this.home.directory, ...user }));
  }

  /** NATS speaks before it asks for TLS, Redis at once with it. */
  private listens(name: 'nats' | 'redis'): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect({ port: this.ports[name], host: '127.0.0.1', rejectUnauthorized: false });
      const finish = (isUp: boolean): void => {
        socket.destroy();
        resolve(isUp);
      };
      socket.once('secureConnect', () => finish(true));
      socket.once('error', (error: Error) => finish(!error.message.includes('ECONNREFUSED')));
    });
  }
}

const binary = (name: Parameters<typeof findBinary>[0]): string => findBinary(name) ?? name;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
