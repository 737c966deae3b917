import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsAuthorization, natsServerConfig } from '@switchyard/messaging';
import { stringify } from 'yaml';
import { openHome } from '../launcher/home/home';
import { type Secrets, loadSecrets } from '../launcher/home/secrets';
import { SERVICES, type ServiceName } from '../launcher/service-names';
import { databasePasswords, databaseUrlsOf, fixedEnv, natsUsersOf, plainEnv, secretEnv, streamsEnv } from './container-env';
import { NAMESPACE } from './kubernetes/manifest';
import { natsServicesSecret } from './nats-services';
import { secretsKustomization } from './secrets-component';

export interface ServerAddresses {
  adminUrl: string;
  natsUrl: string;
  redisUrl: string;
  simulatorUrl?: string;
}

/** Values that are in no manifest: the variables of each Secret. */
export function secretsOf(secrets: Secrets, servers: ServerAddresses): Record<string, Record<string, string>> {
  const passwords = databasePasswords(secrets);
  const databaseUrls = databaseUrlsOf(servers.adminUrl, passwords);
  const fixed = new Set(Object.keys(fixedEnv()));
  const plainOf = (service: ServiceName): Record<string, string> =>
    Object.fromEntries(Object.entries(plainEnv(service, secrets, servers)).filter(([name]) => !fixed.has(name)));
  return {
    ...Object.fromEntries(
      SERVICES.map((name) => [name, { ...plainOf(name), ...secretEnv(name, secrets, { databaseUrls }) }]),
    ),
    migrate: {
      DATABASE_ADMIN_URL: servers.adminUrl,
      DATABASE_LOGINS: JSON.stringify(passwords),
      ...streamsEnv(secrets, servers.natsUrl),
    },
    'nats-services': natsServicesSecret(secrets),
  };
}

/** The Secrets as `kubectl apply` takes them, and the configuration of NATS with its users. */
export function secretManifests(secrets: Secrets, servers: ServerAddresses, namespace = NAMESPACE): object[] {
  return [
    ...Object.entries(secretsOf(secrets, servers)).map(([name, data]) => manifest(namespace, `switchyard-${name}`, data)),
    manifest(namespace, 'nats', {
      'nats.conf': natsConfig(secrets),
      'authorization.conf': natsAuthorization(natsUsersOf(secrets, process.env)),
    }),
  ];
}

const manifest = (namespace: string, name: string, stringData: Record<string, string>): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  type: 'Opaque',
  stringData,
});

const natsConfig = (secrets: Secrets): string =>
  natsServerConfig({ host: '0.0.0.0', port: 4222, monitorPort: 8222, storeDir: '/data', ...natsUsersOf(secrets, process.env) });

const envFile = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

/**
 * node dist/tools/deploy/kubernetes-secrets.js <folder>
 *
 * With DATABASE_ADMIN_URL, NATS_URL and REDIS_URL, for existing servers: secrets.yaml for `kubectl apply` or a secret
 * store, and the same as a Kustomize component (kustomization.yaml), whose Secrets are named by their content, so that
 * pods are replaced when one changes. Without those variables: for overlays/dev. Existing values (secrets.json in the
 * folder) are kept.
 */
export function writeSecrets(folder: string, environment: NodeJS.ProcessEnv): void {
  mkdirSync(folder, { recursive: true });
  const secrets = loadSecrets(openHome(folder), environment);
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  };
  write('nats-operator.nk', `${secrets.natsOperator.seed}\n`);
  const { DATABASE_ADMIN_URL: adminUrl, NATS_URL: natsUrl, REDIS_URL: redisUrl, NAMESPACE: namespace = NAMESPACE } = environment;
  const writeManifests = (documents: object[]): void => {
    write('secrets.yaml', documents.map((each) => stringify(each, { version: '1.1', lineWidth: 0 })).join('---\n'));
  };
  if (adminUrl && natsUrl && redisUrl) {
    const production = { adminUrl, natsUrl, redisUrl };
    writeManifests(secretManifests(secrets, production, namespace));
    for (const [name, values] of Object.entries(secretsOf(secrets, production))) write(`${name}.env`, envFile(values));
    write('nats.conf', natsConfig(secrets));
    write('authorization.conf', natsAuthorization(natsUsersOf(secrets, process.env)));
    write('kustomization.yaml', secretsKustomization([...SERVICES, 'migrate', 'nats-services']));
    return;
  }
  const password = secrets.databaseAdminPassword;
  const servers = {
    adminUrl: `postgres://switchyard:${password}@postgres:5432/switchyard`,
    natsUrl: 'nats://nats:4222',
    redisUrl: 'redis://redis:6379',
    simulatorUrl: 'http://simulator:8090/v1',
  };
  for (const [name, values] of Object.entries(secretsOf(secrets, servers))) write(`${name}.env`, envFile(values));
  const postgres = { POSTGRES_DB: 'switchyard', POSTGRES_USER: 'switchyard', POSTGRES_PASSWORD: password };
  write('postgres.env', envFile(postgres));
  writeManifests([...secretManifests(secrets, servers, namespace), manifest(namespace, 'postgres', postgres)]);
  write('nats.conf', natsConfig(secrets));
}

if (require.main === module) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('name the folder that the secrets are kept in');
  writeSecrets(folder, process.env);
}
