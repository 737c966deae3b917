import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AdminDatabase, Client, TestSpace, signIn } from '@switchyard/testing';
import { openHome } from '../../launcher/home/home';
import { loadSecrets } from '../../launcher/home/secrets';
import { Platform } from '../../launcher/platform';
import { Progress } from '../../launcher/progress';
import { SERVICES } from '../../launcher/service-names';

/** A platform of its own, in which several services share a process. */
export class HostsPlatform {
  readonly platform: Platform;
  readonly database = new AdminDatabase(() => this.platform.endpoints.databaseUrl);
  /** Lines that the launcher prints. */
  readonly printed: string[] = [];
  private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'hosts-'));
  private readonly home = openHome(path.join(this.folder, 'home'));
  private readonly secrets = loadSecrets(this.home, {});

  constructor() {
    this.platform = new Platform({
      home: this.home,
      secrets: this.secrets,
      environment: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        FAILPOINTS: 'true',
        // Where tests listen for webhooks.
        SWITCHYARD_ALLOW_PRIVATE_EGRESS: '127.0.0.2',
        RATE_LIMIT_PER_MINUTE: '100000',
        SPACE_RATE_LIMIT_PER_MINUTE: '100000',
        KEYS_PER_USER_MAX: '100000',
        MODELS_FOLDER: this.home.directory,
        RELAY_DEAD_AFTER_SECONDS: '10',
        RELAY_SWEEP_SECONDS: '1',
      },
      services: SERVICES,
      hosts: true,
      gatewayHost: '127.0.0.1',
      gatewayPort: 0,
      natsApiPort: 0,
      install: false,
      progress: new Progress(() => undefined),
      print: (line) => this.printed.push(line),
    });
  }

  /** The Space of the first start, and its owner. */
  async start(): Promise<TestSpace> {
    await this.platform.start();
    const { ownerEmail, ownerPassword } = this.secrets;
    const owner = await signIn(new Client(this.platform.endpoints.gatewayUrl, null), ownerEmail, ownerPassword);
    const { data } = (await owner.get('/spaces')).body as { data: [{ id: string }] };
    return new TestSpace(data[0].id, owner, owner);
  }

  async remove(): Promise<void> {
    await this.platform.stop();
    await this.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async metrics(service: keyof Platform['endpoints']['internalPorts']): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.platform.endpoints.internalPorts[service]}/metrics`)).text();
  }
}
