import type { QueryRunner } from 'typeorm';
import { protectTable } from '../migrations/tables';
import { type ActivitySource, EVERYBODY, hourOf } from './activity-source';

const SMALL_AND_BUSY =
  'set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0)';

/**
 * Counters of rows by hour and status, maintained by triggers in the statement that changes the rows. Each change is a
 * row of its own, so transactions of a Space never wait for a counter; `foldDeltas` adds them up. Changes of watched
 * Spaces are recorded too.
 */
export async function createActivityTables(runner: QueryRunner, source: ActivitySource): Promise<void> {
  await createTables(runner);
  await createTriggers(runner, source);
}

async function createTables(runner: QueryRunner): Promise<void> {
  await runner.query(
    `create table activity_counts (space_id uuid not null, owner_id uuid not null, hour int not null, status text not null, n bigint not null,
       primary key (space_id, owner_id, hour, status))`,
  );
  await runner.query(`alter table activity_counts ${SMALL_AND_BUSY}`);
  await runner.query('create index activity_counts_spent on activity_counts (hour) where n = 0');
  await runner.query(
    'create table activity_deltas (space_id uuid not null, owner_id uuid not null, hour int not null, status text not null, n int not null)',
  );
  await runner.query(`alter table activity_deltas ${SMALL_AND_BUSY}`);
  await runner.query('create index activity_deltas_of_space on activity_deltas (space_id)');
  await runner.query('create table activity_watches (space_id uuid primary key, until timestamptz not null)');
  await runner.query('create table activity_changes (space_id uuid not null, id uuid not null)');
  await runner.query('create index activity_changes_of_space on activity_changes (space_id)');
  for (const table of ['activity_counts', 'activity_deltas', 'activity_watches', 'activity_changes'])
    await protectTable(runner, table);
}

const listedIn = ({ hidden }: ActivitySource): string => (hidden === undefined ? 'true' : `not ${hidden}`);
const ownerOf = ({ owner }: ActivitySource): string => owner ?? `'${EVERYBODY}'::uuid`;

async function createTriggers(runner: QueryRunner, source: ActivitySource): Promise<void> {
  const [row] = (await runner.query('select current_schema() as schema')) as { schema: string }[];
  const schema = `"${row?.schema ?? 'public'}"`;
  const { table, status, at } = source;
  const listed = listedIn(source);
  const counted = (rows: string, n: number): string =>
    `select space_id, ${ownerOf(source)} as owner_id, ${hourOf(at)} as hour, ${status} as status, ${n} as n from ${rows} where ${listed}`;
  const add = (changes: string): string =>
    `insert into ${schema}.activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (${changes}) changes group by 1, 2, 3, 4 having sum(n) <> 0;`;
  const note = (rows: string): string =>
    `if exists (select 1 from ${schema}.activity_watches) then
       insert into ${schema}.activity_changes (space_id, id) select changed.space_id, changed.id from (${rows}) changed
        where exists (select 1 from ${schema}.activity_watches w where w.space_id = changed.space_id and w.until > clock_timestamp());
     end if;`;
  const seen = (rows: string): string => `select space_id, id, ${status} from ${rows} where ${listed}`;
  const events = {
    insert: { tables: 'new table as new_rows', body: add(counted('new_rows', 1)) + note(seen('new_rows')) },
    update: {
      tables: 'old table as old_rows new table as new_rows',
      body:
        add(`${counted('new_rows', 1)} union all ${counted('old_rows', -1)}`) +
        note(`${seen('new_rows')} except ${seen('old_rows')}`),
    },
    delete: { tables: 'old table as old_rows', body: add(counted('old_rows', -1)) },
  };
  for (const [change, { tables, body }] of Object.entries(events)) {
    await runner.query(
      `create function note_activity_${change}() returns trigger language plpgsql as $note$ begin ${body} return null; end $note$`,
    );
    await runner.query(
      `create trigger activity_${change} after ${change} on ${table} referencing ${tables}
         for each statement execute function note_activity_${change}()`,
    );
  }
}
