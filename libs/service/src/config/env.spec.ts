import { ConfigError, readConfig } from './env';
import { ServiceConfig } from './service-config';

const needed = {
  NATS_URL: 'nats://127.0.0.1',
  REDIS_URL: 'redis://127.0.0.1',
  SERVICE_PRIVATE_KEY: 'x'.repeat(43),
  SERVICE_PUBLIC_KEYS: '{}',
};

const problemsWith = (env: NodeJS.ProcessEnv): string[] => {
  try {
    readConfig(ServiceConfig, { ...needed, ...env });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('what is there for proofs alone', () => {
  it.each(['production', 'development', undefined])('keeps a service from starting with NODE_ENV %s', (NODE_ENV) => {
    expect(problemsWith({ NODE_ENV, FAILPOINTS: 'true', CLOCK_OFFSET_MS: '5' })).toEqual([
      'CLOCK_OFFSET_MS is for proofs alone, and this is no test (NODE_ENV)',
      'FAILPOINTS is for proofs alone, and this is no test (NODE_ENV)',
    ]);
  });

  it('serves in tests, and its absence is no problem anywhere', () => {
    expect(problemsWith({ NODE_ENV: 'test', FAILPOINTS: 'true', CLOCK_OFFSET_MS: '5' })).toEqual([]);
    expect(problemsWith({ NODE_ENV: 'production', FAILPOINTS: 'false', CLOCK_OFFSET_MS: '0' })).toEqual([]);
  });
});
