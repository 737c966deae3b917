import { randomBytes } from 'node:crypto';
import { Database, migrate, prepareDatabase, serviceUrl } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { Logger, Metrics, Retention, Workers } from '@switchyard/service';
import { AdminDatabase, until, usePlatform } from '@switchyard/testing';
import { migrations } from '../src/db/migrations';
import { RECORD_WRITES } from '../src/db/record-writes.repository';

const platform = usePlatform();
const login = { service: 'dataset', password: 'weekly' };
const DAY_MS = 86_400_000;
const spaceId = newId();
let name: string;
let url: string;
let admin: AdminDatabase;
let database: Database;
let workers: Workers;

beforeEach(async () => {
  name = `writes_${randomBytes(6).toString('hex')}`;
  await platform.database.query(`create database ${name}`);
  const own = new URL(platform.state.databaseUrl);
  own.pathname = `/${name}`;
  url = own.href;
  await prepareDatabase(url, [login]);
  await migrate(url, { service: 'dataset', migrations });
  admin = new AdminDatabase(() => url);
  const log = { warn: () => undefined, error: () => undefined };
  database = new Database({ service: 'dataset', url: serviceUrl(url, login), poolSize: 3, log });
  await database.connect();
  workers = new Workers(new Logger('dataset', 'silent'));
});

afterEach(async () => {
  await workers.stop(5000);
  await database.close();
  await admin.close();
  await platform.database.query(`drop database ${name} with (force)`);
});

/** Writes of a run from some days ago. */
async function write(daysAgo: number): Promise<string> {
  const ms = (Date.now() - daysAgo * DAY_MS).toString(16).padStart(12, '0');
  const id = `${ms.slice(0, 8)}-${ms.slice(8)}${newId().slice(13)}`;
  await admin.query(
    `insert into dataset.record_writes (space_id, id, dataset_id, operation, records, parent, root, created_at)
     values ($1, $2, $1, 'insert', 1, 'step', $1, now() - make_interval(days => $3))`,
    [spaceId, id, daysAgo],
  );
  return id;
}

const remaining = async (): Promise<string[]> =>
  (await admin.query<{ id: string }>('select id from dataset.record_writes order by id')).map(({ id }) => id);

const metric = async (metrics: Metrics, name: string): Promise<number> => {
  const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${name}{`));
  return Number(line?.split(' ').at(-1));
};

it('what runs wrote goes by weeks', async () => {
  const days = [89, 60, 1, 0];
  // As it is a hundred days after the installation: the weeks are those of the rows.
  const made = await admin.query<{ name: string }>(`select name from dataset.weeks_of('dataset.record_writes')`);
  for (const week of made) await admin.query(`drop table dataset.${week.name}`);
  for (let week = 20; week > 0; week -= 1)
    await admin.query(
      `select dataset.add_record_writes_week(date_trunc('week', now(), 'UTC') - make_interval(weeks => $1))`,
      [week],
    );
  const live = await Promise.all(days.map(write));
  const old = await Promise.all([100, 110].map(write));
  const [loose, late] = [await write(91), await write(125)];
  await admin.query(`update dataset.record_writes set created_at = now() where id = $1`, [late]);
  const metrics = new Metrics('dataset');
  new Retention(database, workers, 100, metrics).keepWeeks('record writes', RECORD_WRITES, 90);
  workers.start();
  await until(async () => (await remaining()).every((id) => !old.includes(id)));
  await until(async () => (await metric(metrics, 'switchyard_partitions_ahead_days')) > 21);
  const rows = await remaining();
  // A row of a week goes with its week, and one that came late keeps the others of its own.
  for (const id of [...live, loose, late]) expect(rows).toContain(id);
  expect(await metric(metrics, 'switchyard_weeks_dropped_total')).toBeGreaterThan(0);
});
