import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Home } from '../launcher/home/home';
import type { Secrets } from '../launcher/home/secrets';
import { dataFolder, databaseName } from '../launcher/servers/postgres-data';
import { unprivilegedUser } from '../launcher/servers/unprivileged-user';

/** Where Postgres keeps its data in this home. */
export const postgresOf = (home: Home): string => path.join(dataFolder(home, unprivilegedUser()), 'data');

/** The database of a home whose platform runs at the moment: the server itself writes down its port. */
export function runningDatabase(home: Home, secrets: Secrets): string | null {
  const file = path.join(postgresOf(home), 'postmaster.pid');
  if (!existsSync(file)) return null;
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n');
  if (!existsSync(`/proc/${pid ?? ''}`) && process.platform === 'linux') return null;
  return `postgres://switchyard:${secrets.databaseAdminPassword}@127.0.0.1:${port ?? ''}/${databaseName}`;
}
