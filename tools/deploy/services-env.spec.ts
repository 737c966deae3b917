import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { openHome } from '../launcher/home/home';
import { loadSecrets } from '../launcher/home/secrets';
import { projectRoot } from '../launcher/project-root';
import { variableNamesOfServices } from '../prepare/variable-names';
import { databasePasswords, databaseUrlsOf } from './container-env';
import { environmentsOfServices, ignoredBySetup } from './services-env';

const names = variableNamesOfServices();
const secrets = loadSecrets(openHome(mkdtempSync(path.join(tmpdir(), 'services-env-'))), {
  BOOTSTRAP_EMAIL: '',
  BOOTSTRAP_PASSWORD: '',
});
const servers = {
  natsUrl: 'nats://nats:4222',
  redisUrl: 'redis://:generated@redis:6379',
  simulatorUrl: 'http://simulator:8090/v1',
  databaseUrls: databaseUrlsOf('postgres://switchyard@postgres:5432/switchyard', databasePasswords(secrets)),
};
const natsServices = { host: 'nats-services', publicUrl: 'nats://127.0.0.1:4223', tls: undefined };

interface Environment {
  environment: Record<string, string>;
}
const compose = parse(readFileSync(path.join(projectRoot, 'docker-compose.yml'), 'utf8'), {
  merge: true,
  maxAliasCount: -1,
}) as { services: Record<'setup' | 'secrets' | 'relay', Environment> };

/** As the container `setup` has it with nothing in .env. */
const ofCompose = { NODE_ENV: 'production', INTERNAL_PORT: '8081', ...compose.services.setup.environment, IGNORED_SETTINGS: '' };
const ignored = (dotEnv: Record<string, string>): string[] => {
  const environment = { ...ofCompose, POSTGRES_PASSWORD: '', ...dotEnv };
  return ignoredBySetup(environment, environmentsOfServices(environment, secrets, servers, natsServices, names), names);
};

test('with nothing in .env, no setting is ignored', () => {
  expect(ignored({})).toEqual([]);
});

test('secrets, addresses and ports that the deployment decides are reported, whichever service reads them', () => {
  expect(
    ignored({
      DATA_KEY: 'chosen',
      KEY_PEPPERS: '1:chosen',
      DATABASE_URL: 'postgres://db/x',
      NATS_NKEY_SEED: 'SU',
      NATS_MIGRATION_SEED: 'SU',
      GATEWAY_HOST: '127.0.0.1',
      SHUTDOWN_GRACE_MS: '1',
      BOOTSTRAP_PASSWORD: 'after the first start',
    }),
  ).toEqual([
    'BOOTSTRAP_PASSWORD',
    'DATABASE_URL',
    'DATA_KEY',
    'GATEWAY_HOST',
    'KEY_PEPPERS',
    'NATS_MIGRATION_SEED',
    'NATS_NKEY_SEED',
    'SHUTDOWN_GRACE_MS',
  ]);
});

test('settings that take effect are not reported', () => {
  const { ownerEmail, ownerPassword } = secrets;
  expect(
    ignored({
      LOG_LEVEL: 'debug',
      SPACE_CREATION: 'MEMBERS',
      GATEWAY_PORT: '8080',
      POSTGRES_PASSWORD: 'chosen',
      OPENAI_API_KEY: 'sk-x',
      SYSTEM_AGENT_MODEL: 'gpt-4.1-mini',
      BOOTSTRAP_EMAIL: ownerEmail,
      BOOTSTRAP_PASSWORD: ownerPassword,
    }),
  ).toEqual([]);
});

test('a setting that docker-compose.yml replaces is reported by its name', () => {
  expect(ignored({ IGNORED_SETTINGS: 'NATS_URL ' })).toEqual(['NATS_URL']);
  const { setup, relay } = compose.services;
  const isFixed = ([name, value]: [string, string]): boolean => !/\$\{/.test(value) && Object.values(names).flat().includes(name);
  const fixed = [...Object.entries(setup.environment), ...Object.entries(relay.environment)].filter(isFixed).map(([name]) => name);
  expect(fixed).toContain('NATS_URL');
  for (const name of fixed)
    expect(setup.environment.IGNORED_SETTINGS).toContain(`\${${name}:+${name}`);
});

test('the container that makes the secrets first receives the account of the owner', () => {
  expect(compose.services.secrets.environment).toMatchObject({
    BOOTSTRAP_EMAIL: '${BOOTSTRAP_EMAIL:-}',
    BOOTSTRAP_PASSWORD: '${BOOTSTRAP_PASSWORD:-}',
  });
});
