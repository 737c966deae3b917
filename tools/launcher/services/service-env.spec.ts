import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variablesOf } from '@switchyard/service';
import { CONFIGS } from '../../docs/configuration';
import type { Endpoints } from '../endpoints';
import { openHome } from '../home/home';
import { loadSecrets } from '../home/secrets';
import { SERVICES, type ServiceName } from '../service-names';
import { serviceEnv } from './service-env';

const endpoints: Endpoints = {
  gatewayHost: '127.0.0.1',
  gatewayPort: 3000,
  gatewayUrl: 'http://127.0.0.1:3000',
  internalPorts: Object.fromEntries(SERVICES.map((name, at) => [name, 4000 + at])) as Record<ServiceName, number>,
  databaseUrl: 'postgres://admin@db/x',
  databaseLogins: {},
  natsUrl: 'nats://nats',
  isNatsOurs: true,
  redisUrl: 'redis://redis',
  simulatorPort: 8090,
  simulatorUrl: 'http://simulator/v1',
};
const secrets = loadSecrets(openHome(mkdtempSync(join(tmpdir(), 'service-env-'))), {});

test.each(SERVICES)(
  '%s is told where Redis is if it reads that, whatever the caller has in its environment',
  (service) => {
    const reads = variablesOf(CONFIGS[service] ?? Object).some(({ name }) => name === 'REDIS_URL');
    const given = serviceEnv(service, { REDIS_URL: 'redis://of-the-caller' }, secrets, endpoints);
    expect(given.REDIS_URL).toBe(reads ? endpoints.redisUrl : undefined);
  },
);
