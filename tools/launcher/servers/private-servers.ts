import type { Home } from '../home/home';
import { natsUsersOf } from '../home/nats-users';
import type { Secrets } from '../home/secrets';
import { freePort } from '../ports';
import { runStep } from '../preparation/run-step';
import type { Progress } from '../progress';
import { type BinaryName } from './binaries';
import { provideBinaries } from './install';
import { natsServer } from './nats';
import { natsServicesServer } from './nats-services';
import { postgresServer } from './postgres';
import { preparePostgresData } from './postgres-data';
import { redisServer } from './redis';
import type { PrivateServer } from './server';
import { unprivilegedUser } from './unprivileged-user';

export const SERVER_NAMES = ['postgres', 'nats', 'redis', 'nats-services'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

interface PrivateServersOptions {
  home: Home;
  secrets: Secrets;
  needed: ServerName[];
  install: boolean;
  progress: Progress;
  /** Of the NATS server for services; 0 takes a free one. */
  natsApiPort: number;
  /** Makes the streams of a NATS with the migration's login. */
  makeStreams: (url: string, seed: string | undefined) => Promise<void>;
}

const binariesOf: Record<ServerName, BinaryName[]> = {
  postgres: ['initdb', 'postgres'],
  nats: ['nats-server'],
  redis: ['redis-server'],
  'nats-services': ['nats-server'],
};

/** Describes the private servers of this home, ready to be started; installs their binaries where that is allowed. */
export async function describeServers(
  options: PrivateServersOptions,
): Promise<Partial<Record<ServerName, PrivateServer>>> {
  const { home, secrets, needed } = options;
  const names = needed.flatMap((server) => binariesOf[server]);
  const binaries = await provideBinaries(names, options);
  const make: Record<ServerName, () => Promise<PrivateServer>> = {
    postgres: async () => {
      const user = unprivilegedUser();
      const password = secrets.databaseAdminPassword;
      const data = await preparePostgresData(home, binaries, { user, password, progress: options.progress });
      return postgresServer(home, binaries.postgres, await freePort(), { data, user, password });
    },
    nats: async () => {
      const port = await freePort();
      const parameters = { host: '127.0.0.1', port, storeDir: home.file('nats/store'), ...natsUsersOf(secrets) };
      const config = await runStep('nats-config', 'write the configuration of NATS', parameters);
      const makeStreams = (url: string): Promise<void> => options.makeStreams(url, secrets.natsMigration.seed);
      return natsServer(home, binaries['nats-server'], port, { config, makeStreams });
    },
    'nats-services': () =>
      natsServicesServer(home, binaries['nats-server'], {
        preferredPort: options.natsApiPort,
        platformKey: secrets.natsApi.publicKey,
      }),
    redis: async () => redisServer(home, binaries['redis-server'], await freePort(), secrets),
  };
  const described = await Promise.all(needed.map(async (name) => [name, await make[name]()] as const));
  return Object.fromEntries(described);
}
