import { oneWritingClient } from '../client/servers/connect-to-primary';

/** The application name of a migration's sessions. Postgres shows names and databases of sessions to every login. */
export const MIGRATION_SESSION = 'switchyard migrate';

/** Whether a migration of this database is connected. */
export async function isMigrationConnected(databaseUrl: string, secondPassword?: string): Promise<boolean> {
  const client = oneWritingClient({
    connectionString: databaseUrl,
    secondPassword,
    connectionTimeoutMillis: 5000,
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from pg_stat_activity where application_name = $1 and datname = current_database()',
      [MIGRATION_SESSION],
    );
    return (rows[0]?.count ?? 0) > 0;
  } finally {
    await client.end();
  }
}
