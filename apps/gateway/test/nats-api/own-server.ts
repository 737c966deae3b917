import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Acknowledgements, requestSubject, servicesServerConfig, usersFile } from '@switchyard/messaging';
import { type NatsApiSettings, natsApiConnection } from '@switchyard/service';
import { until } from '@switchyard/testing';
import { type FastifyInstance, fastify } from 'fastify';
import { newNatsUser } from '../../../../tools/launcher/home/nats-user';
import { freePort } from '../../../../tools/launcher/ports';
import { findBinary } from '../../../../tools/launcher/servers/binaries';
import { greets } from '../../../../tools/launcher/servers/nats';
import { AccountMessages, type MessageOutcome, type MessageParts } from '../../src/nats-api/account-messages';
import { inFlightQuota } from '../../src/nats-api/in-flight-quota';
import { NatsAccount, connectAs } from './nats-account';

export interface ServerCertificates {
  ca?: string;
  cert: string;
  key: string;
}

export interface LoggedLine {
  level: 'info' | 'warn' | 'error' | 'debug';
  text: string;
}

const newAccountId = (): string => randomBytes(11).toString('hex');

/**
 * A NATS server of services of one test, with the platform's side in this process: routes of the test's own instead of
 * the gateway's, so that each bound is reached exactly.
 */
export class OwnServer {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'nats-services-'));
  readonly routes: FastifyInstance = fastify();
  readonly lines: LoggedLine[] = [];
  readonly outcomes: MessageOutcome[] = [];
  /** Accounts whose streams ended unread. */
  readonly unreadStreams: string[] = [];
  private readonly platform = newNatsUser();
  private readonly users: { account: string; publicKey: string; seed: string }[] = [];
  private readonly inFlight = inFlightQuota();
  private readonly ends: (() => unknown)[] = [];
  private port = 0;

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** With users for so many accounts. An observer is a user who may receive everything; `config` stands for the configuration of the platform. */
  async start(
    accounts: number,
    {
      tls,
      verifiesClients = false,
      observer,
      config: ownConfig,
    }: { tls?: ServerCertificates; verifiesClients?: boolean; observer?: string; config?: string } = {},
  ): Promise<void> {
    this.port = await freePort();
    for (let at = 0; at < accounts; at += 1) this.users.push({ account: newAccountId(), ...newNatsUser() });
    const options = { host: '127.0.0.1', port: this.port, usersFile: 'users.conf', ...(tls ? { tls } : {}) };
    const config = path.join(this.folder, 'nats.conf');
    const text = ownConfig === undefined ? servicesServerConfig(options) : `port: ${this.port}\n${ownConfig}`;
    writeFileSync(config, verifiesClients ? text.replace('tls {', 'tls { verify: true,') : text);
    const users = usersFile(1, this.users, this.platform.publicKey);
    const all = observer === undefined ? users : users.replace('users: [', `users: [\n  { nkey: ${observer} }`);
    writeFileSync(path.join(this.folder, 'users.conf'), all);
    const server = spawn(findBinary('nats-server') ?? 'nats-server', ['-c', config], { stdio: 'ignore' });
    this.ends.push(() => server.kill());
    await until(() => greets(this.port));
  }

  /** The platform's connection, as the gateway makes it of its settings. */
  connect(settings: NatsApiSettings = {}): NonNullable<ReturnType<typeof natsApiConnection>> {
    const note = (level: LoggedLine['level']) => (fields: object, text: string) => {
      const { err } = fields as { err?: Error };
      this.lines.push({ level, text: err ? `${text}: ${err.message}` : text });
    };
    const log = { info: note('info'), warn: note('warn'), error: note('error'), debug: note('debug') };
    const all = { NATS_API_URL: this.url, NATS_API_NKEY_SEED: this.platform.seed, ...settings };
    const connection = natsApiConnection(all, { name: 'test', log });
    if (!connection) throw new Error('the NATS API is off');
    this.ends.unshift(() => connection.close());
    connection.start();
    return connection;
  }

  /** Answers the accounts of `spaces`, one for each, with the routes of the test. */
  async serve(spaces: readonly string[], parts: Partial<MessageParts> = {}): Promise<NatsAccount[]> {
    await this.routes.ready();
    const connection = this.connect();
    await until(() => connection.isUp);
    const acknowledgements = new Acknowledgements(connection);
    const nothing = (): void => undefined;
    const logger = { debug: nothing, error: nothing } as unknown as MessageParts['logger'];
    return Promise.all(
      spaces.map(async (spaceId, at) => {
        const { account: id, seed } = this.users[at] ?? { account: '', seed: '' };
        const messages = new AccountMessages(
          { id, spaceId },
          {
            fastify: this.routes,
            connection,
            acknowledgements,
            inFlight: this.inFlight,
            logger,
            count: (_, outcome) => this.outcomes.push(outcome),
            onReplyRefused: nothing,
            onUnreadStream: ({ id: account }) => this.unreadStreams.push(account),
            ...parts,
          },
        );
        connection.subscribe(`${requestSubject(id)}.>`, undefined, (message) => {
          messages.take(message);
        });
        return new NatsAccount(id, seed, await connectAs(this.url, { id, seed }));
      }),
    );
  }

  async stop(): Promise<void> {
    for (const end of this.ends) await end();
    await this.routes.close();
    rmSync(this.folder, { recursive: true });
  }
}
