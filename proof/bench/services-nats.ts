import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { servicesServerConfig, usersFile } from '@switchyard/messaging';
import { until } from '@switchyard/testing';
import { freePort } from '../../tools/launcher/ports';
import { findBinary } from '../../tools/launcher/servers/binaries';
import { greets } from '../../tools/launcher/servers/nats';

/** A NATS server of services for one gateway: at the platform's own, all gateways share the requests. */
export class ServicesNats {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'bench-nats-'));

  private constructor(
    private readonly port: number,
    private child?: ChildProcess,
  ) {}

  static async start(account: { account: string; publicKey: string }, platformKey: string): Promise<ServicesNats> {
    const server = new ServicesNats(await freePort());
    const config = path.join(server.folder, 'nats.conf');
    writeFileSync(config, servicesServerConfig({ host: '127.0.0.1', port: server.port, usersFile: 'users.conf' }));
    writeFileSync(path.join(server.folder, 'users.conf'), usersFile(1, [account], platformKey));
    server.child = spawn(findBinary('nats-server') ?? 'nats-server', ['-c', config], { stdio: 'ignore' });
    await until(() => greets(server.port));
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  stop(): void {
    this.child?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true });
  }
}
