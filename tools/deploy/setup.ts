import 'reflect-metadata';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsServerConfig } from '@switchyard/messaging';
import { openHome } from '../launcher/home/home';
import { loadSecrets } from '../launcher/home/secrets';
import { SERVICES } from '../launcher/service-names';
import { databasePasswords, databaseUrlsOf, natsUsers, plainEnv, secretEnv } from './container-env';
import { prepare } from './prepare';

/**
 * The first container of a deployment: makes the keys (once), the database's roles and tables (every time),
 * the configuration of NATS, and one environment file per service.
 *
 *   node dist/tools/deploy/setup.js <folder>     with DATABASE_ADMIN_URL, NATS_URL, REDIS_URL, SIMULATOR_URL
 */
async function setup(): Promise<void> {
  const folder = process.argv[2] ?? '/run/switchyard';
  // The services' own user: what it must read is given to it, secrets.json is not.
  const owner = process.env.SECRETS_OWNER;
  const adminUrl = required('DATABASE_ADMIN_URL');
  const secrets = loadSecrets(openHome(folder), process.env);
  const passwords = databasePasswords(secrets);
  const done = await prepare(adminUrl, passwords);
  const databaseUrls = databaseUrlsOf(adminUrl, passwords);
  const plain = plainEnv(secrets, {
    natsUrl: required('NATS_URL'),
    redisUrl: required('REDIS_URL'),
    simulatorUrl: process.env.SIMULATOR_URL,
  });
  const write = (name: string, text: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    if (owner !== undefined) chownSync(join(folder, name), Number(owner), Number(owner));
  };
  for (const service of SERVICES)
    write(`${service}.json`, JSON.stringify({ ...plain, ...secretEnv(service, secrets, { databaseUrls }) }, null, 2));
  write('nats.conf', natsServerConfig({ host: '0.0.0.0', port: 4222, monitorPort: 8222, storeDir: '/data', users: natsUsers(secrets) }));
  console.log(
    `${done.length} migrations ran. The owner is ${secrets.ownerEmail}; the password is in ${join(folder, 'secrets.json')}.`,
  );
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
