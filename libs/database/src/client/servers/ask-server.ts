import { Client } from 'pg';

const CONNECT_WITHIN_MS = 2500;
const ANSWER_WITHIN_MS = 2000;

/** A server that takes writes, and in which life of the database: each promotion of a standby begins another. */
export interface Writable {
  url: string;
  timeline: string;
}

const QUESTION = `select case when not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off'
                              then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

/** Null of a server that only reads. Over a line of its own, as the pool's need a server that writes. */
export async function askServer(url: string, name: string): Promise<Writable | null> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    application_name: name,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(QUESTION);
    const timeline = rows[0]?.timeline ?? null;
    return timeline === null ? null : { url, timeline };
  } finally {
    void client.end().catch(() => undefined);
  }
}
