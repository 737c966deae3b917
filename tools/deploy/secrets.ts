import { join } from 'node:path';
import { openHome } from '../launcher/home/home';
import { redisUsers } from '../launcher/home/redis-users';
import { type Secrets, loadSecrets } from '../launcher/home/secrets';
import { giveFile } from './give-file';

/** The user of the image of Postgres; Redis runs as another one, because files here belong to the user that may read them. */
export const POSTGRES_USER = 999;
export const REDIS_USER = 64021;

/** Nothing that Redis holds is kept. */
const redisConfig = (usersFile: string): string =>
  [
    `aclfile ${usersFile}`,
    'save ""',
    'appendonly no',
    'maxmemory 256mb',
    'maxmemory-policy allkeys-lru',
    '',
  ].join('\n');

/** Files of Postgres and Redis, read at their start. Redis loads its users again on `ACL LOAD`. */
export const serverFiles = (
  secrets: Secrets,
  { POSTGRES_PASSWORD: chosen }: NodeJS.ProcessEnv,
): { postgres: string; redis: string; redisPassword: string } => ({
  postgres: chosen || secrets.databaseAdminPassword,
  redis: redisUsers(secrets),
  redisPassword: secrets.redisPassword,
});

/**
 * The very first container of Compose: makes all keys and passwords, once, and gives Postgres and Redis theirs before
 * they start.
 *
 *   node dist/tools/deploy/secrets.js <folder>     with POSTGRES_PASSWORD where the operator has chosen one
 */
function makeSecrets(folder: string, environment: NodeJS.ProcessEnv): void {
  const { postgres, redis, redisPassword } = serverFiles(loadSecrets(openHome(folder), environment), environment);
  giveFile(join(folder, 'postgres-password'), postgres, POSTGRES_USER);
  const usersFile = join(folder, 'redis-users.acl');
  giveFile(usersFile, redis, REDIS_USER);
  giveFile(join(folder, 'redis.conf'), redisConfig(usersFile), REDIS_USER);
  // For redis-cli in its container.
  giveFile(join(folder, 'redis-password'), redisPassword, REDIS_USER);
}

if (require.main === module) makeSecrets(process.argv[2] ?? '/run/switchyard', process.env);
