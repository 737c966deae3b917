import 'reflect-metadata';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { natsAuthorization, usersFile } from '@switchyard/messaging';
import { variablesOf } from '@switchyard/service';
import { plainEnv, secretEnv } from '../deploy/container-env';
import { secretsOf } from '../deploy/kubernetes-secrets';
import { natsServicesEnv } from '../deploy/nats-services';
import { serverFiles } from '../deploy/secrets';
import { CONFIGS, allVariables, exampleFile } from '../docs/configuration';
import { withSecretTables } from '../generate/secret-tables';
import { openHome } from '../launcher/home/home';
import { natsUsersOf } from '../launcher/home/nats-users';
import { loadSecrets } from '../launcher/home/secrets';
import { projectRoot } from '../launcher/project-root';
import { SERVICES, type ServiceName } from '../launcher/service-names';
import { PLATFORM_SECRETS, type PlatformSecret } from './platform-secrets';

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');
const secrets = loadSecrets(openHome(mkdtempSync(path.join(tmpdir(), 'secrets-'))), {});
const servers = {
  adminUrl: 'postgres://switchyard:x@db/x',
  natsUrl: 'nats://nats',
  redisUrl: 'redis://redis',
  simulatorUrl: 'http://simulator/v1',
};
/** Readers of settings in the configuration page that are no service. */
const PROCESSES: Readonly<Record<string, string>> = { migration: 'migration', migrate: 'migration' };
/** Variables of a deployment's Secrets that hold no secret. */
const IS_PUBLIC = new Set([
  'NATS_URL',
  'SERVICE_PUBLIC_KEYS',
  'SIMULATOR_URL',
  'BOOTSTRAP_EMAIL',
  'NATS_API_URL',
  'NATS_API_TLS_CA',
  'NATS_API_PUBLIC_KEY',
]);

const readersOf = ({ services, otherReaders = [] }: PlatformSecret): string[] => [...services, ...otherReaders];
const isNamedAsSecret = (name: string): boolean => /PASSWORD|SECRET|SEED|PEPPER|(?:^|_)KEYS?$|HEADERS/.test(name);
const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort();

test('every secret setting of every service is in the list, with the services that read it', () => {
  const declared = allVariables()
    .filter(({ secret }) => secret)
    .flatMap(({ name, services }) => services.map((service) => `${PROCESSES[service] ?? service} ${name}`));
  const listed = PLATFORM_SECRETS.flatMap((secret) =>
    (secret.settings ?? []).flatMap((name) =>
      readersOf(secret)
        .filter((reader) => SERVICES.includes(reader as ServiceName) || name === 'NATS_MIGRATION_SEED')
        .filter((reader) => reader !== 'NATS')
        .map((reader) => `${reader} ${name}`),
    ),
  );
  expect(sorted(listed)).toEqual(sorted(declared));
});

test('a file that the list names is a setting of its readers', () => {
  for (const { files = [], services } of PLATFORM_SECRETS)
    for (const file of files)
      for (const service of services)
        expect(variablesOf(CONFIGS[service] ?? Object).map(({ name }) => name)).toContain(file);
});

test('every value of secrets.json that is no public key or address is in the list', () => {
  const { services, ...others } = secrets;
  const generated = [...Object.entries(others), ...Object.entries(services.key)].flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  const listed = PLATFORM_SECRETS.flatMap((secret) => secret.generated ?? []);
  expect(sorted(listed)).toEqual(sorted(generated.filter((field) => field !== 'publicKey' && field !== 'ownerEmail')));
});

test('the Secrets of Kubernetes have the keys of the list, and no other secret', () => {
  const given = Object.entries(secretsOf(secrets, servers)).flatMap(([name, values]) =>
    Object.keys(values)
      .filter((key) => !IS_PUBLIC.has(key))
      .map((key) => `${name}/${key}`),
  );
  const listed = PLATFORM_SECRETS.flatMap(({ kubernetes = [], services }) =>
    kubernetes.flatMap((each) =>
      each.startsWith('*') ? services.map((service) => each.replace('*', service)) : [each],
    ),
  ).filter((each) => !each.startsWith('nats/'));
  expect(sorted(listed)).toEqual(sorted(given));
});

test('the chart gives each service its Secret, and the migration its own', () => {
  const names = [
    ...SERVICES.map((each) => read(`deploy/k8s/base/${each}.yaml`)),
    read('deploy/k8s/base/migrate.yaml'),
  ].join('');
  for (const name of [...SERVICES, 'migrate']) expect(names).toContain(`name: switchyard-${name}\n`);
});

test.each(SERVICES)('Compose gives %s the generated secrets of the list, and no other', (service) => {
  const databaseUrls = { [service]: 'postgres://x:y@db/x' };
  const server = { host: 'nats-services', publicUrl: 'nats://127.0.0.1', tls: undefined };
  const given = {
    ...plainEnv(service, secrets, servers),
    ...secretEnv(service, secrets, { databaseUrls }),
    ...natsServicesEnv(service, secrets, server),
  };
  const isSecret = new Map(variablesOf(CONFIGS[service] ?? Object).map(({ name, secret }) => [name, secret === true]));
  const listed = PLATFORM_SECRETS.filter(
    (each) => each.generated !== undefined && each.services.includes(service),
  ).flatMap(({ settings = [] }) => settings);
  expect(sorted(listed)).toEqual(sorted(Object.keys(given).filter((name) => isSecret.get(name))));
});

test('a secret that operators give is in .env.example or read by docker-compose.yml', () => {
  const compose = read('docker-compose.yml');
  const example = exampleFile();
  const names = PLATFORM_SECRETS.flatMap(({ composeEnv = [] }) => composeEnv);
  expect(names.filter((name) => !example.includes(`#${name}=`) && !compose.includes(`\${${name}:-}`))).toEqual([]);
});

test('the example and docker-compose.yml take no secret that the list lacks', () => {
  const taken = [...`${exampleFile()}${read('docker-compose.yml')}`.matchAll(/^#([A-Z_]+)=|\$\{([A-Z_]+):-\}/gm)].map(
    ([, example, compose]) => example ?? compose ?? '',
  );
  const listed = PLATFORM_SECRETS.flatMap(({ files = [], composeEnv = [] }) => [...files, ...composeEnv]);
  expect(taken.filter((name) => isNamedAsSecret(name) && !listed.includes(name))).toEqual([]);
});

test('a setting that is named as a secret, and is none, names a file of the list', () => {
  const isNamed = (name: string): boolean => /(?:CREDS|PASSWORD|SEED|KEYS?)$/.test(name) && !/PUBLIC/.test(name);
  const named = allVariables().filter(({ name, secret }) => secret !== true && isNamed(name));
  const listed = PLATFORM_SECRETS.flatMap(({ files = [] }) => files);
  expect(sorted(listed)).toEqual(sorted(named.map(({ name }) => name)));
});

/** The value of a generated secret, or both halves of a pair of keys. */
function halvesOf({ generated, services }: PlatformSecret): string[] {
  if (generated === undefined) return [];
  type Value = string | Record<string, string>;
  const all = [secrets, ...services.map((service) => secrets.services[service])] as unknown as Record<string, Value>[];
  return all.flatMap(({ [generated]: value = '' }) => {
    if (typeof value !== 'string') return Object.values(value);
    return value === '' ? [] : [value];
  });
}

test('each process that is no service is given the secrets of the list, and no other', () => {
  const adminUrl = `postgres://switchyard:${secrets.databaseAdminPassword}@db/x`;
  const { migrate, 'nats-services': services } = secretsOf(secrets, { ...servers, adminUrl });
  const { postgres, redis } = serverFiles(secrets, {});
  const given: Record<string, string> = {
    Postgres: postgres,
    Redis: redis,
    NATS: natsAuthorization(natsUsersOf(secrets)),
    migration: JSON.stringify(migrate),
    'nats-accounts': services?.['NATS_API_OPERATOR_KEY'] ?? '',
    'nats-services': usersFile(0, [], secrets.natsApi.publicKey),
  };
  for (const [reader, text] of Object.entries(given)) {
    const read = PLATFORM_SECRETS.filter((secret) => halvesOf(secret).some((half) => text.includes(half)));
    const listed = PLATFORM_SECRETS.filter(({ otherReaders = [] }) => otherReaders.some((each) => each === reader));
    expect([reader, sorted(listed.map(({ name }) => name))]).toEqual([reader, sorted(read.map(({ name }) => name))]);
  }
  const inFile = PLATFORM_SECRETS.filter(({ kubernetes = [] }) => kubernetes.includes('nats/authorization.conf'));
  const readByNats = PLATFORM_SECRETS.filter(({ otherReaders = [] }) => otherReaders.includes('NATS'));
  expect(inFile.map(({ name }) => name)).toEqual(readByNats.map(({ name }) => name));
});

test('the tables of the documentation are those of the list', async () => {
  const page = read('docs/operate/secrets.md');
  expect(await withSecretTables(page)).toBe(page);
});
