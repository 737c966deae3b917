import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFIGS, allVariables } from '../docs/configuration';
import { openHome } from '../launcher/home/home';
import { loadSecrets } from '../launcher/home/secrets';
import { SERVICES } from '../launcher/service-names';
import { variablesOf } from '@switchyard/service';
import { plainEnv, secretEnv } from './container-env';

const secrets = loadSecrets(openHome(mkdtempSync(join(tmpdir(), 'deploy-'))), {});
const databaseUrls = Object.fromEntries(SERVICES.map((name) => [name, `postgres://${name}@db/x`]));
const plain = plainEnv(secrets, {
  natsUrl: 'nats://nats',
  redisUrl: 'redis://redis',
  simulatorUrl: 'http://simulator/v1',
});

describe.each(SERVICES)('the environment of %s in a deployment', (service) => {
  const given = { ...plain, ...secretEnv(service, secrets, { databaseUrls }) };
  const variables = variablesOf(CONFIGS[service] ?? Object);

  test('holds all that the service cannot do without', () => {
    const needed = variables
      .filter(({ default: standard, optional }) => standard === undefined && !optional)
      .map(({ name }) => name);
    expect(needed.filter((name) => given[name] === undefined)).toEqual([]);
  });

  test('holds nothing that nobody reads', () => {
    const read = new Set(allVariables().map(({ name }) => name));
    expect(Object.keys(given).filter((name) => !read.has(name))).toEqual([]);
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
