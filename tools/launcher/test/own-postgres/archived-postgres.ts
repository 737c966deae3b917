import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@switchyard/testing';
import { giveTo } from '../../servers/unprivileged-user';
import { OwnPostgres } from './own-postgres';

/** A Postgres whose write-ahead log is kept, as the operations' page tells to set it up. */
export class ArchivedPostgres extends OwnPostgres {
  async start(): Promise<void> {
    await this.make();
    mkdirSync(this.archive);
    giveTo(this.archive, this.user);
    await this.run('primary', {
      archive_mode: 'on',
      archive_command: `test ! -f ${this.archive}/%f && cp %p ${this.archive}/%f`,
    });
  }

  /** The copy from which a recovery begins. */
  backUp(): Promise<void> {
    return this.copyTo('recovered', '-X', 'fetch');
  }

  /** The log up to now is in the archive, as it is by itself after `archive_timeout`. */
  async ship(): Promise<void> {
    const [row] = await this.ask('primary', 'select pg_walfile_name(pg_switch_wal()) as file');
    const shipped = `select 1 from pg_stat_archiver where last_archived_wal >= '${String(row?.['file'])}'`;
    await until(async () => (await this.ask('primary', shipped))[0], { timeoutMs: 60_000 });
  }

  /** Another server, as the first one was at that moment. */
  async recoverTo(time: string): Promise<void> {
    const settings = [
      `restore_command = 'cp ${this.archive}/%f %p'`,
      `recovery_target_time = '${time}'`,
      `recovery_target_action = 'promote'`,
    ];
    appendFileSync(join(this.data('recovered'), 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
    const signal = join(this.data('recovered'), 'recovery.signal');
    writeFileSync(signal, '');
    giveTo(signal, this.user);
    await this.run('recovered');
    const writes = 'select 1 where not pg_is_in_recovery()';
    await until(async () => (await this.ask('recovered', writes))[0], { timeoutMs: 60_000 });
  }

  private get archive(): string {
    return join(this.folder, 'archive');
  }
}
