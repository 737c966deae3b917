import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFIGS } from '../docs/configuration';
import { openHome } from '../launcher/home/home';
import { loadSecrets } from '../launcher/home/secrets';
import { SERVICES, type ServiceName } from '../launcher/service-names';
import { REDIS_READERS } from '../launcher/services/redis-readers';
import { variablesOf } from '@switchyard/service';
import { plainEnv, secretEnv } from './container-env';

const secrets = loadSecrets(openHome(mkdtempSync(join(tmpdir(), 'deploy-'))), {});
const databaseUrls = Object.fromEntries(SERVICES.map((name) => [name, `postgres://${name}@db/x`]));
const servers = { natsUrl: 'nats://nats', redisUrl: 'redis://redis', simulatorUrl: 'http://simulator/v1' };
const reads = (service: ServiceName, variable: string): boolean =>
  variablesOf(CONFIGS[service] ?? Object).some(({ name }) => name === variable);

test('the services that deployments take for readers of Redis are those whose configuration has its address', () => {
  expect(REDIS_READERS).toEqual(SERVICES.filter((service) => reads(service, 'REDIS_URL')));
});

describe.each(SERVICES)('the environment of %s in a deployment', (service) => {
  const given = { ...plainEnv(service, secrets, servers), ...secretEnv(service, secrets, { databaseUrls }) };
  const variables = variablesOf(CONFIGS[service] ?? Object);

  test('holds all that the service cannot do without', () => {
    const needed = variables
      .filter(({ default: standard, optional }) => standard === undefined && !optional)
      .map(({ name }) => name);
    expect(needed.filter((name) => given[name] === undefined)).toEqual([]);
  });

  test('holds nothing that its configuration does not name', () => {
    const read = new Set(variables.map(({ name }) => name));
    expect(Object.keys(given).filter((name) => !read.has(name))).toEqual([]);
  });

  test('has the address of Redis if the service reads it, and else not', () => {
    expect(given.REDIS_URL).toBe(reads(service, 'REDIS_URL') ? servers.redisUrl : undefined);
  });

  test('tells no service the secret of another', () => {
    const others = SERVICES.filter((name) => name !== service).flatMap((name) => [
      secrets.services[name].privateKey,
      secrets.services[name].nats.seed,
    ]);
    const text = JSON.stringify(given);
    expect(others.filter((secret) => text.includes(secret))).toEqual([]);
  });
});
