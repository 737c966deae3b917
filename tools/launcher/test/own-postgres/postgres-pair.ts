import { until } from '@switchyard/testing';
import { OwnPostgres } from './own-postgres';

/** A Postgres, and a second one that repeats each commit before it is acknowledged: what is promised at one is at both. */
export class PostgresPair extends OwnPostgres {
  /** Both in one address, as services are given them. */
  get url(): string {
    return this.urlOf('primary', 'standby');
  }

  async start(): Promise<void> {
    await this.make();
    await this.run('primary', { wal_keep_size: '256MB' });
    await this.copyTo('standby', '-R', '-X', 'stream');
    await this.run('standby');
    await this.ask('primary', `alter system set synchronous_standby_names = '*'`);
    await this.ask('primary', 'select pg_reload_conf()');
    const synchronous = `select 1 from pg_stat_replication where sync_state = 'sync'`;
    await until(async () => (await this.ask('primary', synchronous))[0]);
  }

  promote(): Promise<unknown> {
    return this.ask('standby', 'select pg_promote(true, 60)');
  }
}
