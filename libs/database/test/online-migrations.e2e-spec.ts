import { randomBytes } from 'node:crypto';
import {
  alterBriefly,
  asOwner,
  buildIndexes,
  changeBriefly,
  dropIndexes,
  inBatches,
  migrate,
  type Migration,
  OnlineMigration,
  prepareDatabase,
  tenantTable,
} from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { AdminDatabase, until, usePlatform } from '@switchyard/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const platform = usePlatform();
const spaceId = newId();

class MakeItems1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(runner, 'items', `state text not null default 'NEW', at timestamptz not null default now()`);
  }
  down = (): Promise<void> => Promise.resolve();
}

class IndexItems1700000000002 extends OnlineMigration implements MigrationInterface {
  up = (runner: QueryRunner): Promise<void> => buildIndexes(runner, { items_by_state: 'on items (space_id, state)' });
  down = (): Promise<void> => Promise.resolve();
}

class AlterItems1700000000003 extends OnlineMigration implements MigrationInterface {
  up = (runner: QueryRunner): Promise<void> => alterBriefly(runner, 'alter table items add column if not exists n int');
  down = (): Promise<void> => Promise.resolve();
}

class RenameStates1700000000004 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await asOwner(runner, ['items'], () =>
      inBatches(
        runner,
        `with changed as (
           update items set state = 'FRESH' where ctid = any(array(select ctid from items where state = 'NEW' limit 200)) returning 1)
         select count(*)::int as n from changed`,
      ),
    );
    await dropIndexes(runner, 'items_by_state');
  }
  down = (): Promise<void> => Promise.resolve();
}

const lockWaitsMs: number[] = [];
const MS_OF = (setting: string): string => `select setting::int as ms from pg_settings where name = '${setting}'`;

class NoteWaits1700000000005 extends OnlineMigration implements MigrationInterface {
  up = (runner: QueryRunner): Promise<void> =>
    changeBriefly(runner, async () => {
      const [row] = (await runner.query(MS_OF('lock_timeout'))) as { ms: number }[];
      lockWaitsMs.push(row?.ms ?? 0);
      await runner.query('alter table items add column if not exists m int');
    });
  down = (): Promise<void> => Promise.resolve();
}

describe('migrations of a table that is written to', () => {
  let name: string;
  let url: string;
  let database: AdminDatabase;

  beforeEach(async () => {
    name = `online_${randomBytes(6).toString('hex')}`;
    await platform.database.query(`create database ${name}`);
    const admin = new URL(platform.state.databaseUrl);
    admin.pathname = `/${name}`;
    url = admin.href;
    await prepareDatabase(url, [{ service: 'trial', password: 'unused' }]);
    await run(MakeItems1700000000001);
    database = new AdminDatabase(() => url);
    await database.query(
      `insert into trial.items (space_id, id) select $1, gen_random_uuid() from generate_series(1, 500)`,
      [spaceId],
    );
  });

  afterEach(async () => {
    await database.close();
    await platform.database.query(`drop database ${name} with (force)`);
  });

  const run = (...migrations: Migration[]): Promise<string[]> =>
    migrate(url, { service: 'trial', migrations: [...new Set([MakeItems1700000000001, ...migrations])] });
  const write = (): Promise<unknown> =>
    database.query(`insert into trial.items (space_id, id) values ($1, gen_random_uuid())`, [spaceId]);
  /** Another writer with an open transaction. */
  const holdWriter = () =>
    database.hold(`insert into trial.items (space_id, id) values ('${spaceId}', gen_random_uuid())`);
  const building = () =>
    until(async () => {
      const [row] = await database.query<{ pid: number }>(
        'select p.pid from pg_stat_progress_create_index p where p.datname = current_database()',
      );
      return row ?? null;
    });
  const isValid = async (): Promise<unknown> => {
    const [row] = await database.query(
      `select indisvalid from pg_index where indexrelid = to_regclass('trial.items_by_state')`,
    );
    return row?.['indisvalid'];
  };

  it('build indexes with a lock that lets writers go on', async () => {
    const letGo = await holdWriter();
    const running = run(IndexItems1700000000002);
    const { pid } = await building();
    const modes = await database.query(
      `select distinct mode from pg_locks where pid = $1 and relation = 'trial.items'::regclass and mode not like 'AccessShare%'`,
      [pid],
    );
    expect(modes).toEqual([{ mode: 'ShareUpdateExclusiveLock' }]);
    await write();
    await letGo();
    expect(await running).toEqual(['IndexItems1700000000002']);
    expect(await isValid()).toBe(true);
  });

  it('build an index anew that a crash left unfinished', async () => {
    const letGo = await holdWriter();
    const running = run(IndexItems1700000000002).catch((error: unknown) => error);
    const { pid } = await building();
    await database.query('select pg_terminate_backend($1)', [pid]);
    expect(await running).toBeInstanceOf(Error);
    await letGo();
    expect(await isValid()).toBe(false);
    expect(await run(IndexItems1700000000002)).toEqual(['IndexItems1700000000002']);
    expect(await isValid()).toBe(true);
    expect(await run(IndexItems1700000000002)).toEqual([]);
  });

  it('wait for the build of a process that was killed', async () => {
    const letGo = await holdWriter();
    const orphan = database.query('create index concurrently items_by_state on trial.items (space_id, state)');
    const { pid } = await building();
    const running = run(IndexItems1700000000002);
    await until(async () => {
      const [row] = await database.query<{ n: number }>(
        `select count(*)::int as n from pg_locks where locktype = 'advisory' and granted and classid = 73002
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return row?.n === 1;
    });
    expect((await building()).pid).toBe(pid);
    await letGo();
    await orphan;
    await running;
    expect(await isValid()).toBe(true);
  });

  it('may be started several times at once', async () => {
    const letGo = await holdWriter();
    const first = run(IndexItems1700000000002);
    await building();
    const second = run(IndexItems1700000000002);
    await until(async () => {
      const rows = await database.query(
        `select 1 from pg_stat_activity where datname = current_database() and query like '%advisory_lock%' and pid <> pg_backend_pid()`,
      );
      return rows.length >= 2;
    });
    await letGo();
    expect((await Promise.all([first, second])).flat()).toEqual(['IndexItems1700000000002']);
  });

  it('never keep writers waiting for a lock that others hold', async () => {
    const letGo = await database.hold('select 1 from trial.items limit 1');
    let isDone = false;
    const running = run(AlterItems1700000000003).finally(() => (isDone = true));
    const isWaiting = async (): Promise<boolean> => {
      const rows = await database.query(
        `select 1 from pg_locks where relation = 'trial.items'::regclass and mode = 'AccessExclusiveLock' and not granted`,
      );
      return rows.length > 0;
    };
    // It times out and retries, and writers pass in between.
    for (let round = 0; round < 3; round += 1) {
      await until(isWaiting, { everyMs: 20 });
      await write();
    }
    expect(isDone).toBe(false);
    await letGo();
    expect(await running).toEqual(['AlterItems1700000000003']);
  });

  it('wait long enough now and then for Postgres to cancel an autovacuum that holds the lock', async () => {
    const letGo = await database.hold('select 1 from trial.items limit 1');
    const running = run(NoteWaits1700000000005);
    await until(() => Promise.resolve(lockWaitsMs.length >= 6));
    await letGo();
    expect(await running).toEqual(['NoteWaits1700000000005']);
    const [{ ms: deadlockMs } = { ms: 0 }] = await database.query<{ ms: number }>(MS_OF('deadlock_timeout'));
    const long = lockWaitsMs.filter((ms) => ms > deadlockMs);
    expect(long.length).toBeGreaterThan(0);
    // Other writers wait for as long, so most attempts must be short.
    expect(long.length).toBeLessThan(lockWaitsMs.length / 2);
  });

  it('change rows in batches, and drop an index without a lock that stops writers', async () => {
    await run(IndexItems1700000000002);
    expect(await run(IndexItems1700000000002, RenameStates1700000000004)).toEqual(['RenameStates1700000000004']);
    const states = await database.query('select state, count(*)::int as n from trial.items group by 1');
    expect(states).toEqual([{ state: 'FRESH', n: 500 }]);
    expect(await isValid()).toBeUndefined();
    const [table] = await database.query(
      `select relforcerowsecurity as forced from pg_class where oid = 'trial.items'::regclass`,
    );
    expect(table).toEqual({ forced: true });
  });
});
