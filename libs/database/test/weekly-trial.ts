import { randomBytes } from 'node:crypto';
import {
  Database,
  type Migration,
  type WeeklyTable,
  createIndexes,
  createWeeks,
  migrate,
  loginRole,
  prepareDatabase,
  protectTable,
  systemRole,
  serviceUrl,
} from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { AdminDatabase, type TestPlatform } from '@switchyard/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export const NOTES: WeeklyTable = { table: 'notes', id: 'id', at: 'at', leastDays: 1, isOfSpaces: true };
const DAY_MS = 86_400_000;
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const login = { service: 'trial', password: 'weekly' };

const COLUMNS = `space_id uuid not null, id uuid not null, text text not null constraint notes_text_check check (text <> ''),
  at timestamptz not null default clock_timestamp(), primary key (space_id, id)`;

class MakeNotes1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table notes (${COLUMNS}) partition by range (id)`);
    await protectTable(runner, 'notes');
    await createIndexes(runner, {
      notes_by_text: 'on notes (space_id, text)',
      notes_age: 'on notes using brin (at) with (autosummarize = on)',
    });
    await createWeeks(runner, NOTES);
  }
  down = (): Promise<void> => Promise.resolve();
}

/** As in a database whose table was partitioned when it had rows: a partition of everything before the first week. */
class RowsBeforeWeeks1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table notes_p_before (${COLUMNS})`);
    await protectTable(runner, 'notes_p_before');
    const [row] = (await runner.query(
      `select week_bound(date_trunc('week', clock_timestamp(), 'UTC'))::text as bound`,
    )) as { bound: string }[];
    await runner.query(
      `alter table notes attach partition notes_p_before for values from (minvalue) to ('${row?.bound ?? ''}')`,
    );
  }
  down = (): Promise<void> => Promise.resolve();
}

/** An id from this many days ago, or in the future. */
export function idOf(daysAgo: number): string {
  const ms = (Date.now() - daysAgo * DAY_MS).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}${newId().slice(13)}`;
}

/** A database with a table of notes in weeks. */
export class WeeklyTrial {
  private constructor(
    private readonly platform: TestPlatform,
    private readonly name: string,
    readonly url: string,
    readonly admin: AdminDatabase,
    readonly database: Database,
  ) {}

  static async open(platform: TestPlatform): Promise<WeeklyTrial> {
    const name = `weekly_${randomBytes(6).toString('hex')}`;
    await platform.database.query(`create database ${name}`);
    const own = new URL(platform.state.databaseUrl);
    own.pathname = `/${name}`;
    await prepareDatabase(own.href, [login]);
    const database = new Database({ service: 'trial', url: serviceUrl(own.href, login), poolSize: 4, log });
    const trial = new WeeklyTrial(platform, name, own.href, new AdminDatabase(() => own.href), database);
    await trial.migrate(MakeNotes1700000000001);
    await database.connect();
    return trial;
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.admin.close();
    await this.platform.database.query(`drop database ${this.name} with (force)`);
  }

  get roles(): string {
    return `"${loginRole(this.name, 'trial')}", "${systemRole(this.name, 'trial')}"`;
  }

  /** As `setup`, which runs again with each version. */
  prepare = (): Promise<void> => prepareDatabase(this.url, [login]);

  /** As if partitioned long ago: the old partition ended `weeks` ago, and all later weeks exist. */
  async age(weeks: number): Promise<void> {
    await this.migrate(MakeNotes1700000000001, RowsBeforeWeeks1700000000002);
    await this.admin.query('alter table trial.notes detach partition trial.notes_p_before');
    const made = await this.admin.query<{ name: string }>(`select name from trial.weeks_of('trial.notes')`);
    for (const { name } of made) await this.admin.query(`drop table trial.${name}`);
    const start = `date_trunc('week', now(), 'UTC') - make_interval(weeks => $1)`;
    const [row] = await this.admin.query<{ bound: string }>(`select trial.week_bound(${start})::text as bound`, [
      weeks,
    ]);
    await this.admin.query(
      `alter table trial.notes attach partition trial.notes_p_before for values from (minvalue) to ('${row?.bound ?? ''}')`,
    );
    for (let week = weeks; week >= 0; week -= 1)
      await this.admin.query(
        `select trial.add_notes_week(date_trunc('week', now(), 'UTC') - make_interval(weeks => $1))`,
        [week],
      );
  }

  /** Whether the row is new. Its lock time-out is much longer than that of creating or dropping a week. */
  async write(spaceId: string, id: string): Promise<boolean> {
    const rows = await this.database.inSpace(spaceId, async (tx) => {
      await tx.run(`set local lock_timeout = '2s'`);
      return tx.prepared(
        'write-note',
        `insert into notes (space_id, id, text) values ($1, $2, 'a note') on conflict do nothing returning 1`,
        [spaceId, id],
      );
    });
    return rows.length === 1;
  }

  /** As `write`, with the creation time of its id. */
  async writeOld(spaceId: string, daysAgo: number): Promise<string> {
    const id = idOf(daysAgo);
    await this.admin.query(
      `insert into trial.notes (space_id, id, text, at) values ($1, $2, 'an old note', now() - make_interval(days => $3))`,
      [spaceId, id, daysAgo],
    );
    return id;
  }

  /** Partition of each row. */
  async partitions(): Promise<Map<string, string>> {
    const rows = await this.admin.query<{ id: string; path: string }>(
      `select id, tableoid::regclass::text as path from trial.notes`,
    );
    return new Map(rows.map(({ id, path }) => [id, path.replace('trial.', '')]));
  }

  async weeks(): Promise<string[]> {
    const rows = await this.admin.query<{ name: string }>(
      `select name from trial.weeks_of('trial.notes') order by until_at`,
    );
    return rows.map(({ name }) => name);
  }

  private migrate(...migrations: Migration[]): Promise<string[]> {
    return migrate(this.url, { service: 'trial', migrations });
  }
}
