import { Pool, type QueryResultRow } from 'pg';

/** The platform's database with the administrator's login: sees every schema and every Space. For assertions only. */
export class AdminDatabase {
  private pool: Pool | undefined;

  constructor(private readonly url: () => string) {}

  async query<Row extends QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    this.pool ??= this.open();
    const result = await this.pool.query<Row>(sql, parameters);
    return result.rows;
  }

  async close(): Promise<void> {
    await this.pool?.end();
  }

  private open(): Pool {
    const pool = new Pool({ connectionString: this.url(), max: 3, allowExitOnIdle: true });
    // Tests kill the server: a broken idle connection is replaced at the next query.
    pool.on('error', () => undefined);
    return pool;
  }
}
