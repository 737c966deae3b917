import { Pool, type QueryResultRow } from 'pg';

/** The platform's database with the administrator's login: sees every schema and every Space. For assertions, and for locks. */
export class AdminDatabase {
  private pool: Pool | undefined;

  constructor(private readonly url: () => string) {}

  async query<Row extends QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    this.pool ??= this.open();
    const result = await this.pool.query<Row>(sql, parameters);
    return result.rows;
  }

  /** Runs a statement in a transaction that stays open, with the locks it took, until it is let go or committed. */
  async hold(sql: string, end: 'rollback' | 'commit' = 'rollback'): Promise<() => Promise<void>> {
    this.pool ??= this.open();
    const connection = await this.pool.connect();
    await connection.query('begin');
    await connection.query(sql);
    return async () => {
      await connection.query(end);
      connection.release();
    };
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
