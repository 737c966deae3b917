import { type Migration, isMigrationConnected, pendingMigrations } from '@switchyard/database';
import type { ServiceName } from '@switchyard/contracts';
import { sleep } from '@switchyard/kernel';

const EVERY_MS = 1000;
const LOG = 'Kubernetes: kubectl logs -l app.kubernetes.io/name=migrate';
/** Postgres: a wrong password, a role or a database that does not exist. */
const NO_LOGIN = new Set(['28P01', '28000', '3D000']);

interface Login {
  url: string;
  secondPassword: string | undefined;
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** State of the migration, as this service's login sees it: the API of Kubernetes is closed to pods. */
async function migrationState({ url, secondPassword }: Login): Promise<string> {
  return (await isMigrationConnected(url, secondPassword))
    ? 'a migration is running'
    : `no migration is connected to the database; see the log of the Job migrate (${LOG})`;
}

async function missingIn(login: Login, service: ServiceName, migrations: readonly Migration[]): Promise<string | null> {
  try {
    const { url, secondPassword } = login;
    const missing = await pendingMigrations(url, { service, migrations }, secondPassword).catch((error: unknown) => {
      // The table of migrations does not exist yet.
      if ((error as { code?: string }).code === '42P01') return [describe(error)];
      throw error;
    });
    return missing.length === 0 ? null : `${missing.join(', ')}: ${await migrationState(login)}`;
  } catch (error) {
    const hint = NO_LOGIN.has((error as { code?: string }).code ?? '')
      ? `; the migration makes this login (${LOG})`
      : '';
    return `${describe(error)}${hint}`;
  }
}

/** `await-migrations`: exits when the tables of this version exist. The caller limits the wait. */
export async function awaitMigrations(service: ServiceName, migrations: readonly Migration[]): Promise<void> {
  const login = { url: process.env['DATABASE_URL'] ?? '', secondPassword: process.env['DATABASE_SECOND_PASSWORD'] };
  let logged: string | null = null;
  for (;;) {
    const missing = await missingIn(login, service, migrations);
    if (missing === null) return;
    if (missing !== logged) process.stdout.write(`${service} waits for: ${missing}\n`);
    logged = missing;
    await sleep(EVERY_MS);
  }
}
