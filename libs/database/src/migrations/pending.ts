import { schemaOfService } from '../options';
import { oneWritingClient } from '../client/servers/connect-to-primary';
import type { ServiceMigrations } from './migrate';

/** Migrations that have not run yet, read with the service's own login. */
export async function pendingMigrations(
  databaseUrl: string,
  { service, migrations }: ServiceMigrations,
  secondPassword?: string,
): Promise<string[]> {
  const client = oneWritingClient({
    connectionString: databaseUrl,
    secondPassword,
    connectionTimeoutMillis: 5000,
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(`select name from "${schemaOfService(service)}".migrations`);
    const done = new Set(rows.map(({ name }) => name));
    return migrations.map(({ name }) => name).filter((name) => !done.has(name));
  } finally {
    await client.end();
  }
}
