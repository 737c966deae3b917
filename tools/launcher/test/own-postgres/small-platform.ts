import type { Home } from '../../home/home';
import type { Secrets } from '../../home/secrets';
import { Platform } from '../../platform';
import { Progress } from '../../progress';

/** The key service behind its gateway, on a database that the test runs: enough to sign in and to write. */
export const smallPlatform = (home: Home, secrets: Secrets, databaseUrl: string): Platform =>
  new Platform({
    home,
    secrets,
    environment: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      RATE_LIMIT_PER_MINUTE: '100000',
      KEYS_PER_USER_MAX: '100000',
    },
    services: ['key', 'gateway'],
    gatewayHost: '127.0.0.1',
    gatewayPort: 0,
    natsApiPort: 0,
    install: false,
    progress: new Progress(() => undefined),
    print: () => undefined,
  });
