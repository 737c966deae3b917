import { type SecondPassword, loginClient } from './two-passwords';

const CONNECT_WITHIN_MS = 2500;
const ANSWER_WITHIN_MS = 2000;

/** A server that accepts writes, with its timeline: each promotion starts a new one. */
export interface Writable {
  url: string;
  timeline: string;
}

const QUESTION = `select case when not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off'
                              then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

/** Null for a read-only server. Uses its own connection, since the pool needs a writable server. */
export async function probeServer(
  url: string,
  name: string,
  second: SecondPassword | null = null,
): Promise<Writable | null> {
  const client = new (loginClient(second))({
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
