import { oneWritingClient } from '../client/servers/connect-to-primary';

/** Connections that services can open: without those that Postgres reserves for administrators. */
export async function connectionLimit(adminUrl: string): Promise<number> {
  const client = oneWritingClient({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ limit: number }>(
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              - coalesce(current_setting('reserved_connections', true), '0')::int as limit`,
    );
    return rows[0]?.limit ?? 0;
  } finally {
    await client.end();
  }
}
