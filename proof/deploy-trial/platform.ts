import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { endsWithUs } from '../../tools/launcher/processes/transient';
import type { Secrets } from '../../tools/launcher/home/secrets';
import type { Box } from './box';
import { Conversation } from './conversation';
import { must } from './must';

const CUSTOMER = path.join(__dirname, 'customer.js');
const ROTATION_CUSTOMER = path.join(__dirname, 'rotation-customer.js');
const EMAIL = 'owner@switchyard.local';
const READ_SECRETS = `process.stdout.write(require('fs').readFileSync('/run/switchyard/secrets.json'))`;

/** The platform of docker-compose.yml in the box, and a customer who uses it. */
export class ComposedPlatform {
  private password: string | undefined;

  constructor(
    private readonly box: Box,
    /** Resources that the customer has created. */
    private readonly state: string,
  ) {}

  /** `source` is a folder of the box. */
  compose(source: string, ...args: string[]): Promise<string> {
    return this.box.run('docker', 'compose', '--project-directory', source, ...args);
  }

  /** Up, and every health check well. */
  async up(source: string): Promise<void> {
    try {
      await this.compose(source, 'up', '--detach', '--wait', '--no-build', '--wait-timeout', '300');
    } catch (error) {
      console.log(await this.compose(source, 'logs', '--no-color', '--tail', '15'));
      throw error;
    }
  }

  /** Names and ids of the containers that run. */
  async containers(source: string): Promise<string> {
    const lines = await this.compose(source, 'ps', '--format', '{{.Name}} {{.ID}}');
    return lines.trim().split('\n').sort().join('\n');
  }

  kill(service: string): Promise<string> {
    return this.box.run('docker', 'kill', '--signal', 'KILL', `switchyard-${service}-1`);
  }

  /** Its first process dies, and the engine starts it again by itself. */
  async crash(service: string): Promise<void> {
    const name = `switchyard-${service}-1`;
    const pid = await this.box.run('docker', 'inspect', '--format', '{{.State.Pid}}', name);
    await this.box.run('kill', '-KILL', pid.trim());
  }

  async customer(source: string, action: 'make' | 'check' | 'service' | 'rotate-key'): Promise<void> {
    await must(this.words(action), { env: await this.environment(source) });
  }

  /** Counts of the customer's response statuses during `work`; 0 means no response. */
  async underLoad(source: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
    const [command = '', ...args] = this.words('load');
    const child = spawn(command, args, {
      env: await this.environment(source),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    endsWithUs(child);
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    // It signs in first, which it could not do any more while everything is replaced.
    await Promise.race([once(child.stdout, 'data'), ended]);
    try {
      await work();
    } finally {
      child.stdin.end();
      await ended;
    }
    return JSON.parse(text.slice(text.indexOf('\n') + 1)) as Record<string, number>;
  }

  /** Work of a Space that goes on until its end, and answers commands meanwhile. */
  async converse(source: string): Promise<Conversation> {
    const [command = '', ...args] = this.box.withItsNetwork(process.execPath, ROTATION_CUSTOMER);
    return new Conversation(
      spawn(command, args, { env: await this.environment(source), stdio: ['pipe', 'pipe', 'inherit'] }),
    );
  }

  async secrets(source: string): Promise<Secrets> {
    const read = ['run', '--rm', '-T', '--no-deps', '--entrypoint', '/nodejs/bin/node', 'setup', '-e', READ_SECRETS];
    return JSON.parse(await this.compose(source, ...read)) as Secrets;
  }

  ownerHasPassword(password: string): void {
    this.password = password;
  }

  /** Result of a statement of the superuser of Postgres. */
  async sql(source: string, statement: string): Promise<string> {
    const psql = ['psql', '--username=switchyard', '--no-align', '--tuples-only', '--command', statement];
    return (await this.compose(source, 'exec', '-T', 'postgres', ...psql)).trim();
  }

  private words(action: string): string[] {
    return this.box.withItsNetwork(process.execPath, CUSTOMER, action, this.state);
  }

  private async environment(source: string): Promise<NodeJS.ProcessEnv> {
    this.password ??= (await this.secrets(source)).ownerPassword;
    return { PATH: process.env.PATH, OWNER_EMAIL: EMAIL, OWNER_PASSWORD: this.password };
  }
}
