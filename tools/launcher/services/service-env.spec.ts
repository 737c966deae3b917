import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variablesOf } from '@switchyard/service';
import { CONFIGS } from '../../docs/configuration';
import type { Endpoints } from '../endpoints';
import { openHome } from '../home/home';
import { loadSecrets } from '../home/secrets';
import { SERVICES, type ServiceName } from '../service-names';
import { variableNamesOfServices } from '../../prepare/variable-names';
import { serviceEnv, simulatorEnv } from './service-env';

const endpoints: Endpoints = {
  gatewayHost: '127.0.0.1',
  gatewayPort: 3000,
  gatewayUrl: 'http://127.0.0.1:3000',
  internalPorts: Object.fromEntries(SERVICES.map((name, at) => [name, 4000 + at])) as Record<ServiceName, number>,
  databaseUrl: 'postgres://admin@db/x',
  databaseLogins: {},
  relayJournalFolder: '/data/relay-journal',
  natsUrl: 'nats://nats',
  isNatsOurs: true,
  redisUrl: 'redis://redis',
  natsApiUrl: 'nats://services',
  isNatsApiOurs: true,
  simulatorPort: 8090,
  simulatorUrl: 'http://simulator/v1',
};
const names = variableNamesOfServices();
const secrets = loadSecrets(openHome(mkdtempSync(join(tmpdir(), 'service-env-'))), {});

test.each(SERVICES)(
  '%s is told where Redis is if it reads that, whatever the caller has in its environment',
  (service) => {
    const reads = variablesOf(CONFIGS[service] ?? Object).some(({ name }) => name === 'REDIS_URL');
    const given = serviceEnv(service, { REDIS_URL: 'redis://of-the-caller' }, secrets, endpoints, names);
    expect(given.REDIS_URL).toBe(reads ? endpoints.redisUrl : undefined);
  },
);

const caller = {
  PATH: '/bin',
  NODE_EXTRA_CA_CERTS: '/ca.crt',
  SSL_CERT_FILE: '/certs.pem',
  MALLOC_ARENA_MAX: '2',
  AWS_SECRET_ACCESS_KEY: 'of the shell',
  OPENAI_API_KEY: 'of an upstream',
  SWITCHYARD_KEY: 'of a client',
  SWITCHYARD_LOGLEVEL: 'a wrong name',
  KEY_PEPPERS: '1:of-the-key-service',
  DATA_KEY: 'of key and agent',
  NATS_MIGRATION_SEED: 'of the migration',
  DATABASE_ADMIN_URL: 'of the administrator',
  RATE_LIMIT_PER_MINUTE: '7',
  npm_config_registry: 'of npm',
  NODE_AUTH_TOKEN: 'of a registry',
};

test.each(SERVICES.filter((service) => service !== 'relay'))(
  '%s is given of the caller only what its configuration names, and what every process reads',
  (service) => {
    const given = serviceEnv(service, caller, secrets, endpoints, names);
    const named = new Set([
      ...(names[service] ?? []),
      'PATH',
      'NODE_EXTRA_CA_CERTS',
      'NODE_COMPILE_CACHE',
      'SSL_CERT_FILE',
      'MALLOC_ARENA_MAX',
    ]);
    const unnamed = Object.entries(given).filter(([name, value]) => value !== undefined && !named.has(name));
    // With a wrong name of ours the service does not start.
    expect(unnamed.map(([name]) => name)).toEqual(['SWITCHYARD_LOGLEVEL']);
    expect(given).toMatchObject({ PATH: '/bin', SSL_CERT_FILE: '/certs.pem', MALLOC_ARENA_MAX: '2' });
  },
);

test.each([
  ['by default', {}, '/data/relay-journal'],
  ['if the caller names a folder', { RELAY_JOURNAL_FOLDER: '/own' }, '/own'],
  ['if the caller turns it off', { RELAY_JOURNAL_FOLDER: '' }, ''],
])('the relay has a journal beside the data of Postgres: %s', (_, of, folder) => {
  expect(serviceEnv('relay', of, secrets, endpoints, names).RELAY_JOURNAL_FOLDER).toBe(folder);
});

test('only the service whose configuration names it is given a setting', () => {
  const given = (service: ServiceName, name: string): string | undefined =>
    serviceEnv(service, caller, secrets, endpoints, names)[name];
  expect(SERVICES.filter((service) => given(service, 'KEY_PEPPERS') !== undefined)).toEqual(['key']);
  expect(SERVICES.filter((service) => given(service, 'DATA_KEY') !== undefined).sort()).toEqual([
    'agent',
    'event-bus',
    'key',
  ]);
  expect(given('gateway', 'RATE_LIMIT_PER_MINUTE')).toBe('7');
});

test('relay is given the keys of its upstreams, which the catalogue names, and nothing that other services are told', () => {
  const given = serviceEnv('relay', caller, secrets, endpoints, names);
  expect(given.OPENAI_API_KEY).toBe('of an upstream');
  for (const name of [
    'KEY_PEPPERS',
    'DATA_KEY',
    'NATS_MIGRATION_SEED',
    'DATABASE_ADMIN_URL',
    'SWITCHYARD_KEY',
    'npm_config_registry',
  ])
    expect(given[name]).toBeUndefined();
});

test('the simulator is given no secret', () => {
  expect(simulatorEnv({ ...caller, SIMULATOR_PORT: '1' })).toEqual({
    PATH: '/bin',
    NODE_EXTRA_CA_CERTS: '/ca.crt',
    SSL_CERT_FILE: '/certs.pem',
    MALLOC_ARENA_MAX: '2',
    SWITCHYARD_LOGLEVEL: 'a wrong name',
    SIMULATOR_PORT: '1',
  });
});
