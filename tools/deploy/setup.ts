import 'reflect-metadata';
import { join } from 'node:path';
import { adoptPassword } from '@switchyard/database';
import { natsServerConfig } from '@switchyard/messaging';
import { openHome } from '../launcher/home/home';
import { type Secrets, loadSecrets } from '../launcher/home/secrets';
import { SERVICES } from '../launcher/service-names';
import { ignoredSentence } from '../launcher/services/ignored-settings';
import { misspelledSettings } from '../launcher/services/variable-names';
import {
  IMAGE_USER,
  STREAMS_USER,
  databasePasswords,
  databaseUrlsOf,
  natsUsersOf,
  streamsEnv,
  userOf,
} from './container-env';
import { giveFile } from './give-file';
import {
  NATS_SERVICES_FOLDER,
  NATS_SERVICES_USER,
  NATS_TLS_FOLDER,
  certificatesIn,
  runsNatsServices,
  writeNatsServices,
} from './nats-services';
import { prepare } from './prepare';
import { environmentsOfServices, ignoredBySetup } from './services-env';

/**
 * The first container of a deployment: makes the keys (once), the database's roles and tables (every time),
 * the configuration of NATS, and one environment file per service.
 *
 *   node dist/tools/deploy/setup.js <folder>     with DATABASE_ADMIN_URL, NATS_URL, REDIS_URL, SIMULATOR_URL
 */
async function setup(): Promise<void> {
  const folder = process.argv[2] ?? '/run/switchyard';
  const misspelled = misspelledSettings(process.env);
  if (misspelled.length > 0) throw new Error(misspelled.join('\n'));
  const secrets = loadSecrets(openHome(folder), process.env);
  const adminUrl = await administratorOf(secrets);
  const passwords = databasePasswords(secrets);
  const done = await prepare(adminUrl, passwords);
  const servers = {
    databaseUrls: databaseUrlsOf(adminUrl, passwords),
    natsUrl: required('NATS_URL'),
    redisUrl: redisOf(secrets),
    simulatorUrl: process.env.SIMULATOR_URL,
  };
  const runsServer = runsNatsServices(process.env);
  const tls = runsServer ? certificatesIn(NATS_TLS_FOLDER) : undefined;
  const port = process.env.NATS_API_PORT || '4223';
  const natsServices = { host: 'nats-services', publicUrl: `${tls ? 'tls' : 'nats'}://127.0.0.1:${port}`, tls };
  const received = environmentsOfServices(process.env, secrets, servers, runsServer ? natsServices : undefined);
  for (const service of SERVICES)
    giveFile(join(folder, `${service}.json`), JSON.stringify(received[service], null, 2), userOf(service));
  const natsConfig = natsServerConfig({ host: '0.0.0.0', port: 4222, monitorPort: 8222, storeDir: '/data', ...natsUsersOf(secrets, process.env) });
  giveFile(join(folder, 'nats.conf'), natsConfig, IMAGE_USER);
  giveFile(join(folder, 'streams.json'), JSON.stringify(streamsEnv(secrets, servers.natsUrl), null, 2), STREAMS_USER);
  // Without accounts it also starts where it is not used.
  writeNatsServices(NATS_SERVICES_FOLDER, secrets, tls);
  giveFile(join(folder, 'nats-accounts.key'), runsServer ? secrets.natsApiOperatorKey : '', NATS_SERVICES_USER);
  giveFile(join(folder, 'nats-operator.nk'), `${secrets.natsOperator.seed}\n`, 0);
  const ignored = ignoredBySetup(process.env, received);
  if (ignored.length > 0) console.warn(ignoredSentence(ignored, 'setup'));
  console.log(
    `${done.length} migrations ran. The owner is ${secrets.ownerEmail}; the password is in ${join(folder, 'secrets.json')}.`,
  );
}

/** Password of Compose's Postgres in earlier versions. */
const OLD_DEFAULT = 'switchyard';

/** An address without a password is that of a server whose password is kept with the secrets. */
async function administratorOf(secrets: Secrets): Promise<string> {
  const adminUrl = required('DATABASE_ADMIN_URL');
  if (new URL(adminUrl).password !== '') return adminUrl;
  const { databaseAdminPassword: generated, previousDatabaseAdminPassword: previous = '' } = secrets;
  const chosen = process.env.POSTGRES_PASSWORD;
  const before = [...(chosen ? [generated] : []), previous, OLD_DEFAULT].filter((password) => password !== '');
  return adoptPassword(adminUrl, chosen || generated, before);
}

function redisOf(secrets: Secrets): string {
  const url = new URL(required('REDIS_URL'));
  if (process.env.REDIS_PASSWORD_KEPT === 'true') url.password = secrets.redisPassword;
  return url.href;
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
