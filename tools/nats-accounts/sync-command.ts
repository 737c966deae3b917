import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import path from 'node:path';
import { usersFile } from '../../libs/messaging/src/nats-api/users-file';
import { projectRoot } from '../launcher/project-root';
import { findBinary } from '../launcher/servers/binaries';
import { StopSentence } from '../launcher/stop-sentence';
import { AccountsSync, syncOnce } from './accounts-sync';
import { type OperatorApi, operatorApi } from './operator-api';
import type { ServicesServer } from './services-server';

export const syncUsages: readonly string[] = [
  'sync [--watch] [--force] [--file F] [--config F] [--pid-file F] [--key-file F] [--platform-key U...]',
  'print',
  'loaded [--revision N]',
];

const COMMANDS = ['sync', 'print', 'loaded'] as const;
type Command = (typeof COMMANDS)[number];

export const isSyncCommand = (name: string | undefined): name is Command =>
  (COMMANDS as readonly (string | undefined)[]).includes(name);

const WATCH_EVERY_MS = 2_000;

/** The commands of operators, with an operator key that has the scope `operator:nats`. */
export async function runSyncCommand(name: Command, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const options = optionsOf(args);
  const key =
    options['key-file'] === undefined ? env['SWITCHYARD_KEY'] : readFileSync(options['key-file'], 'utf8').trim();
  if (key === '' && options['key-file'] !== undefined && options.watch) return waitForSignal();
  if (!key) throw new StopSentence('SWITCHYARD_KEY is not set: it must be a key of the type OPERATOR.');
  const api = operatorApi(env['SWITCHYARD_URL'] || `http://127.0.0.1:${env['GATEWAY_PORT'] || '3000'}`, () => key);
  if (name === 'print') return print(api);
  if (name === 'loaded') return loaded(api, options.revision);
  const server = serverOf(options, env);
  const write = (text: string): void => void process.stdout.write(`${text}\n`);
  if (options.watch) {
    const everyMs = WATCH_EVERY_MS;
    const sync = new AccountsSync(api, server, { everyMs, force: options.force, print: write });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sync.stop());
    return sync.start();
  }
  const { revision, users } = await syncOnce(api, server, { force: options.force });
  write(`Revision ${revision} is loaded: ${users ?? 'the same'} users.`);
}

/** Without a key there is nothing to bring: the NATS API is off, or has a server of another. */
async function waitForSignal(): Promise<void> {
  process.stdout.write('There is no key: the NATS API is off, or this server is not the one in use.\n');
  const waiting = setInterval(() => undefined, 3_600_000);
  await Promise.race((['SIGINT', 'SIGTERM'] as const).map((signal) => once(process, signal)));
  clearInterval(waiting);
}

async function print(api: OperatorApi): Promise<void> {
  const accounts = await api.read();
  if (accounts) process.stdout.write(usersFile(accounts.revision, accounts.users));
}

async function loaded(api: OperatorApi, revision: string | undefined): Promise<void> {
  const loadedRevision = revision === undefined ? (await api.read())?.revision : Number(revision);
  if (loadedRevision === undefined || !Number.isSafeInteger(loadedRevision) || loadedRevision < 0)
    throw new StopSentence(`${revision} is no revision.`);
  await api.reportLoaded(loadedRevision);
  process.stdout.write(`Revision ${loadedRevision} is reported as loaded.\n`);
}

type SyncOptions = ReturnType<typeof optionsOf>;

function optionsOf(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        watch: { type: 'boolean' },
        force: { type: 'boolean' },
        file: { type: 'string' },
        config: { type: 'string' },
        'pid-file': { type: 'string' },
        'key-file': { type: 'string' },
        'platform-key': { type: 'string' },
        revision: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    throw new StopSentence(error instanceof Error ? error.message : String(error));
  }
}

function serverOf(options: SyncOptions, env: NodeJS.ProcessEnv): ServicesServer {
  const folder = path.resolve(projectRoot, env['SWITCHYARD_HOME'] || '.switchyard', 'nats-services');
  return {
    usersFile: options.file ?? path.join(folder, 'services-users.conf'),
    configFile: options.config ?? path.join(folder, 'nats-services.conf'),
    pidFile: options['pid-file'] ?? path.join(folder, 'nats-services.pid'),
    // Without one, the program of the running server is used.
    binary: findBinary('nats-server'),
    ...(options['platform-key'] === undefined ? {} : { platformKey: options['platform-key'] }),
  };
}
