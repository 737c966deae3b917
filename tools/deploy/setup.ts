import 'reflect-metadata';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsServerConfig } from '@switchyard/messaging';
import { openHome } from '../launcher/home/home';
import { loadSecrets } from '../launcher/home/secrets';
import { SERVICES } from '../launcher/service-names';
import {
  IMAGE_USER,
  STREAMS_USER,
  databasePasswords,
  databaseUrlsOf,
  natsUsersOf,
  plainEnv,
  secretEnv,
  streamsEnv,
  userOf,
} from './container-env';
import { prepare } from './prepare';

const UPGRADE_MS = 900_000;

/**
 * The first container of a deployment: makes the keys (once), the database's roles and tables (every time),
 * the configuration of NATS, and one environment file per service.
 *
 *   node dist/tools/deploy/setup.js <folder>     with DATABASE_ADMIN_URL, NATS_URL, REDIS_URL, SIMULATOR_URL
 */
async function setup(): Promise<void> {
  const folder = process.argv[2] ?? '/run/switchyard';
  const adminUrl = required('DATABASE_ADMIN_URL');
  const plainSecretsUntil = plainSecretsFor(join(folder, 'secrets.json'));
  const secrets = loadSecrets(openHome(folder), process.env);
  const passwords = databasePasswords(secrets);
  const done = await prepare(adminUrl, passwords);
  const databaseUrls = databaseUrlsOf(adminUrl, passwords);
  const servers = {
    natsUrl: required('NATS_URL'),
    redisUrl: required('REDIS_URL'),
    simulatorUrl: process.env.SIMULATOR_URL,
  };
  for (const service of SERVICES) {
    const environment = { ...plainSecretsUntil, ...plainEnv(service, secrets, servers), ...secretEnv(service, secrets, { databaseUrls }) };
    giveFile(join(folder, `${service}.json`), JSON.stringify(environment, null, 2), userOf(service));
  }
  const natsConfig = natsServerConfig({ host: '0.0.0.0', port: 4222, monitorPort: 8222, storeDir: '/data', ...natsUsersOf(secrets, process.env) });
  giveFile(join(folder, 'nats.conf'), natsConfig, IMAGE_USER);
  giveFile(join(folder, 'streams.json'), JSON.stringify(streamsEnv(secrets, servers.natsUrl), null, 2), STREAMS_USER);
  giveFile(join(folder, 'nats-operator.nk'), `${secrets.natsOperator.seed}\n`, 0);
  console.log(
    `${done.length} migrations ran. The owner is ${secrets.ownerEmail}; the password is in ${join(folder, 'secrets.json')}.`,
  );
}

/**
 * In an upgrade from version 0.1, whose services cannot open encrypted fields, new services send none while old ones may
 * run. That version's secrets have no login of the migration.
 */
function plainSecretsFor(file: string): { BUS_PLAIN_SECRETS_UNTIL?: string } {
  if (!existsSync(file) || readFileSync(file, 'utf8').includes('"natsMigration"')) return {};
  return { BUS_PLAIN_SECRETS_UNTIL: new Date(Date.now() + UPGRADE_MS).toISOString() };
}

/** A file that one user alone can read. It replaces the old one at once, also when that belongs to another user. */
function giveFile(file: string, text: string, user: number): void {
  const next = `${file}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode: 0o600 });
  chownSync(next, user, user);
  renameSync(next, file);
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing`);
  return value;
}

setup().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
