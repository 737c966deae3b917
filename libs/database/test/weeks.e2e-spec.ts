import { type Tx, weeks } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { until, usePlatform } from '@switchyard/testing';
import { NOTES, WeeklyTrial, idOf } from './weekly-trial';

const platform = usePlatform();
const spaceId = newId();
let trial: WeeklyTrial;

beforeEach(async () => {
  trial = await WeeklyTrial.open(platform);
});
afterEach(() => trial.close());

const drop = (week: string, days = 30) => weeks.drop(trial.database, NOTES, week, days);
const makeAll = async (): Promise<void> => {
  while (await weeks.makeNext(trial.database, NOTES));
};

describe('a new table in weeks', () => {
  it('has the current week and those of the next weeks, with all indexes, and knows an id again', async () => {
    const id = newId();
    expect(await trial.write(spaceId, id)).toBe(true);
    expect(await trial.write(spaceId, id)).toBe(false);
    expect((await trial.partitions()).get(id)).toBe((await trial.weeks())[0]);
    const indexes = await trial.admin.query<{ name: string; valid: boolean; of: number }>(
      `select i.relname as name, x.indisvalid as valid, (select count(*)::int from pg_inherits where inhparent = x.indexrelid) as of
         from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = 'trial.notes'::regclass order by 1`,
    );
    const parts = (await trial.weeks()).length + 1;
    expect(indexes).toEqual(
      ['notes_age', 'notes_by_text', 'notes_pkey'].map((name) => ({ name, valid: true, of: parts })),
    );
    expect(await weeks.daysUntilLastEnds(trial.database, NOTES)).toBeGreaterThan(21);
  });
});

describe('a table in weeks', () => {
  beforeEach(async () => {
    await trial.age(6);
    await makeAll();
  });

  it('drops a week as a whole when its time is over, and no other row', async () => {
    const old = [await trial.writeOld(spaceId, 44), await trial.writeOld(spaceId, 60)];
    const live = [await trial.writeOld(spaceId, 20), await trial.writeOld(spaceId, 1)];
    const due = await weeks.due(trial.database, NOTES, 30);
    // One of two replicas drops it.
    for (const week of due) expect((await Promise.all([drop(week), drop(week)])).sort()).toEqual(['dropped', 'gone']);
    const partitions = await trial.partitions();
    for (const id of old) expect(partitions.has(id)).toBe(false);
    for (const id of live) expect(partitions.has(id)).toBe(true);
    expect(await trial.weeks()).not.toContain('notes_p_before');
    expect(await weeks.due(trial.database, NOTES, 30)).toEqual([]);
  });

  it('keeps a week to which a row came later than its id says', async () => {
    const late = idOf(40);
    await trial.write(spaceId, late);
    const partition = (await trial.partitions()).get(late) ?? '';
    expect(await weeks.due(trial.database, NOTES, 30)).toContain(partition);
    expect(await drop(partition)).toBe('young');
    expect(await trial.write(spaceId, late)).toBe(false);
  });

  it('knows an id again wherever it is: before the weeks, in one of them, at their border, in the rest', async () => {
    const [border = { id: '' }] = await trial.admin.query<{ id: string }>(
      `select trial.week_bound(date_trunc('week', now(), 'UTC'))::text as id`,
    );
    const ids = [idOf(100), idOf(20), border.id, idOf(0), idOf(-365)];
    for (const id of ids) expect(await trial.write(spaceId, id)).toBe(true);
    await makeAll();
    for (const id of ids) expect(await trial.write(spaceId, id)).toBe(false);
    expect(new Set((await trial.partitions()).values()).size).toBeGreaterThan(3);
  });

  it('refuses no row if no weeks were made for long, and makes those that are still empty', async () => {
    // No week was created since the week before last.
    for (const week of (await trial.weeks()).slice(-6)) await trial.admin.query(`drop table trial.${week}`);
    expect(await weeks.daysUntilLastEnds(trial.database, NOTES)).toBeLessThan(0);
    const [now, next] = [newId(), idOf(-8)];
    for (const id of [now, next]) expect(await trial.write(spaceId, id)).toBe(true);
    await makeAll();
    expect(await weeks.daysUntilLastEnds(trial.database, NOTES)).toBeGreaterThan(21);
    for (const id of [now, next]) expect(await trial.write(spaceId, id)).toBe(false);
    const partitions = await trial.partitions();
    expect([partitions.get(now), partitions.get(next)]).toEqual(['notes_p_rest', 'notes_p_rest']);
    const later = idOf(-20);
    await trial.write(spaceId, later);
    expect((await trial.partitions()).get(later)).toMatch(/^notes_p\d{8}$/);
    // Rows in the default partition expire one by one.
    await trial.admin.query(`update trial.notes set at = now() - interval '31 days' where id = $1`, [now]);
    const deleted = await trial.database.system('forget', (tx) => weeks.deleteUnpartitioned(tx, NOTES, 30, 500));
    expect(deleted).toBe(1);
    expect([...(await trial.partitions()).keys()].sort()).toEqual([next, later].sort());
  });

  it('lets others write while a week is dropped, and steps back where one holds the table', async () => {
    const [oldest = '', second = ''] = await weeks.due(trial.database, NOTES, 7);
    const letGo = await trial.admin.hold(
      `insert into trial.notes (space_id, id, text) values ('${spaceId}', '${newId()}', 'held')`,
    );
    // While the drop waits for its lock, and after it has timed out, other writers proceed.
    const dropping = drop(oldest, 7);
    await until(
      async () => {
        const rows = await trial.admin.query(
          `select 1 from pg_locks where relation = 'trial.notes'::regclass and mode = 'AccessExclusiveLock' and not granted`,
        );
        return rows.length > 0 || (await Promise.race([dropping, Promise.resolve(null)])) !== null;
      },
      { everyMs: 1 },
    );
    const isWritten = await trial.write(spaceId, newId()).catch((error: unknown) => error);
    const outcome = await dropping;
    await letGo();
    expect([isWritten, outcome]).toEqual([true, 'held']);
    let isRunning = true;
    let written = 0;
    const writer = async (): Promise<void> => {
      while (isRunning) {
        expect(await trial.write(spaceId, newId())).toBe(true);
        written += 1;
      }
    };
    const writers = [writer(), writer()];
    for (const week of [oldest, second])
      await until(async () => (await drop(week, 7)) === 'dropped', { timeoutMs: 60_000 });
    const during = written;
    await until(() => Promise.resolve(written > during + 10));
    isRunning = false;
    await Promise.all(writers);
  });
});

describe('the rights of a service in the weeks of its table', () => {
  const spaces = [newId(), newId()] as const;

  beforeEach(async () => {
    await trial.age(6);
    for (const space of spaces) for (const daysAgo of [100, 20, 0, -365]) await trial.writeOld(space, daysAgo);
  });

  const partitions = async (): Promise<string[]> =>
    (
      await trial.admin.query<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'trial.notes'::regclass`,
      )
    ).map(({ name }) => name);

  it('are none to a week past the table, also after another setup', async () => {
    await trial.prepare();
    const weeks = (await partitions()).filter((name) => /_p\d{8}$/.test(name));
    expect(weeks.length).toBeGreaterThan(5);
    for (const name of weeks) {
      const read = trial.database.inSpace(spaces[0], (tx) => tx.query(`select 1 from ${name}`));
      await expect(read).rejects.toMatchObject({ cause: { message: `permission denied for table ${name}` } });
    }
  });

  it('are those of the Space in each of them, also past the table and with all rights given', async () => {
    const names = await partitions();
    expect(names.length).toBeGreaterThan(8);
    for (const name of names)
      await trial.admin.query(`grant select, insert, update, delete on trial.${name} to ${trial.roles}`);
    const seen = new Set<string>();
    const refused: string[] = [];
    for (const name of ['notes', ...names]) {
      const rows = await trial.database.inSpace(spaces[0], (tx) =>
        tx.query<{ spaceId: string }>(`select space_id from ${name}`),
      );
      for (const row of rows) seen.add(row.spaceId);
      const write = (tx: Tx): Promise<unknown> =>
        tx.run(`insert into ${name} (space_id, id, text) values ($1, $2, 'theirs')`, [spaces[1], newId()]);
      const error = await trial.database.inSpace(spaces[0], write).catch((reason: unknown) => reason);
      if (String((error as Error).cause).includes('row-level security')) refused.push(name);
    }
    expect(refused).toEqual(['notes', ...names]);
    expect([...seen]).toEqual([spaces[0]]);
    expect(await trial.admin.query(`select 1 from trial.notes where text = 'theirs'`)).toEqual([]);
  });

  it('are no rights to delete rows of a week, nor to make or drop what it likes', async () => {
    const asSystem = (sql: string, params: unknown[] = []): Promise<unknown> =>
      trial.database.system('try', (tx) => tx.run(sql, params));
    const before = await trial.partitions();
    // The previous version's retention: rows by ctid, which other partitions have too.
    await expect(
      asSystem(
        `delete from notes where ctid = any(array(select ctid from notes where at < now() - interval '90 days' limit 500 for update skip locked))`,
      ),
    ).rejects.toMatchObject({ cause: { message: 'notes goes by weeks: no rows of it are deleted' } });
    const [week = '', young = ''] = (await trial.weeks()).slice(-2);
    for (const sql of [
      `delete from ${week}`,
      `drop table ${week}`,
      `alter table notes detach partition ${week}`,
      'create table trial.mine (n int)',
      'select add_notes_week(now())',
      `select drop_notes_week('${young}', 0)`,
      `select drop_notes_week('${young}', -400)`,
      `select drop_notes_week('notes_p_rest', 0)`,
      `select drop_notes_week('outbox', 0)`,
    ])
      await expect(asSystem(sql)).rejects.toBeInstanceOf(Error);
    expect(await trial.partitions()).toEqual(before);
  });
});
