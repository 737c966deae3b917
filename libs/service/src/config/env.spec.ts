import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from './env';
import { EnvOfAudience, EnvOfIssuer, ServiceConfig } from './service-config';

const needed = {
  NATS_URL: 'nats://127.0.0.1',
  SERVICE_PRIVATE_KEY: 'q3Zt8vY1kLw0RbN5sXe7Uj2HfMa9PdCg4oTiVzK6ByE',
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

describe('in production', () => {
  const weak = { SERVICE_PRIVATE_KEY: 'A'.repeat(43), NATS_NKEY_SEED: 'changeme'.repeat(8) };

  it('refuses secrets that everybody knows, unknown variables and bad values, and names all of them', () => {
    expect(
      problemsWith({
        NODE_ENV: 'production',
        ...weak,
        LOG_LEVEL: 'loud',
        NATS_URL: '',
        SHUTDOWN_GRACE_MS: 'soon',
        SWITCHYARD_LOGLEVEL: 'debug',
      }).sort(),
    ).toEqual([
      expect.stringMatching(/^LOG_LEVEL /) as string,
      'NATS_NKEY_SEED is a secret that everybody knows: make one of your own (openssl rand -base64 32)',
      expect.stringMatching(/^NATS_URL is missing/) as string,
      'SERVICE_PRIVATE_KEY is a secret that everybody knows: make one of your own (openssl rand -base64 32)',
      expect.stringMatching(/^SHUTDOWN_GRACE_MS /) as string,
      'SWITCHYARD_LOGLEVEL is not a variable of this service',
    ]);
  });

  it('is what a process is in that is told nothing else', () => {
    expect(problemsWith(weak)).toHaveLength(2);
    expect(problemsWith({ ...weak, NODE_ENV: 'development' })).toEqual([]);
  });

  it('never shows the secret', () => {
    expect(problemsWith(weak).join()).not.toMatch(/AAAA|changeme/);
  });
});

describe('variables that belong together', () => {
  class Issuing extends ServiceConfig {
    @EnvOfIssuer() OIDC_ISSUER?: string;
    @EnvOfAudience() OIDC_AUDIENCE?: string;
  }
  const problems = (env: NodeJS.ProcessEnv): string[] => {
    try {
      readConfig(Issuing, { ...needed, ...env });
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };

  it('are both set, or none', () => {
    expect(problems({ OIDC_ISSUER: 'https://id.example.com' })).toEqual([
      'OIDC_ISSUER is set and OIDC_AUDIENCE is not: set both, or none',
    ]);
    expect(problems({ OIDC_AUDIENCE: 'api', OIDC_ISSUER: '' })).toEqual([
      'OIDC_AUDIENCE is set and OIDC_ISSUER is not: set both, or none',
    ]);
    expect(problems({ OIDC_AUDIENCE: 'api', OIDC_ISSUER: 'https://id.example.com' })).toEqual([]);
    expect(problems({})).toEqual([]);
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'env-'));
  const file = join(folder, 'key');
  writeFileSync(file, `${needed.SERVICE_PRIVATE_KEY}\n`);

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('is read from there', () => {
    const env = { ...needed, SERVICE_PRIVATE_KEY: undefined, SERVICE_PRIVATE_KEY_FILE: file };
    expect(readConfig(ServiceConfig, env).SERVICE_PRIVATE_KEY).toBe(needed.SERVICE_PRIVATE_KEY);
  });

  it('is missed when the file is not there', () => {
    expect(problemsWith({ SERVICE_PRIVATE_KEY: undefined, SERVICE_PRIVATE_KEY_FILE: join(folder, 'none') })).toEqual([
      expect.stringMatching(/^SERVICE_PRIVATE_KEY_FILE names .*none, which cannot be read$/) as string,
      expect.stringMatching(/^SERVICE_PRIVATE_KEY is missing/) as string,
    ]);
  });

  it('is not looked for where a variable is no secret', () => {
    expect(readConfig(ServiceConfig, { ...needed, LOG_LEVEL_FILE: file }).LOG_LEVEL).toBe('info');
  });
});
