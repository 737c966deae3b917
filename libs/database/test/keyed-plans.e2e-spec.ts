import { newId, sqlStatesByKey } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { Database, type Tx } from '@switchyard/database';
import type { Statement } from '../src/client/pipelined-batch';
import { probeOf } from '../src/client/shared-idle-poller';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };

async function inTransaction(isSearched: boolean, work: (tx: Tx) => Promise<unknown>): Promise<string> {
  const url = platform.state.databaseLogins['relay'] ?? '';
  const database = new Database({ service: 'relay', url, poolSize: 1, log, isSearched });
  await database.connect();
  try {
    return JSON.stringify(await database.system('look at a plan', work));
  } finally {
    await database.close();
  }
}

/** Plan of a prepared statement that was planned when the table had one row. */
const planOf = (isSearched: boolean): Promise<string> =>
  inTransaction(isSearched, async (tx) => {
    await tx.run('create temporary table few (id uuid primary key) on commit drop');
    await tx.run('insert into few values ($1)', [newId()]);
    await tx.run('analyze few');
    return tx.query(`explain select id from few where id = '${newId()}'`);
  });

/** How often a statement with a short list got a generic or a custom plan. */
async function plansOf(hasOnePlan: boolean): Promise<unknown> {
  const url = platform.state.databaseLogins['relay'] ?? '';
  const database = new Database({ service: 'relay', url, poolSize: 1, log });
  await database.connect();
  try {
    for (let times = 0; times < 10; times += 1) {
      const sql = 'select balance from accounts where space_id = any($1::uuid[])';
      await database.systemRead('plan', [{ name: 'short-list', sql, params: [[newId()]], hasOnePlan }]);
    }
    const plans = `select generic_plans::int, custom_plans::int from pg_prepared_statements where name = 'short-list'`;
    return await database.system('look at plans', (tx) => tx.one(plans));
  } finally {
    await database.close();
  }
}

describe('plans of statements that take lists', () => {
  it('are made once where a statement says that one plan does', async () => {
    expect(await plansOf(true)).toEqual({ genericPlans: 10, customPlans: 0 });
    // Why it has to say so.
    expect(await plansOf(false)).toEqual({ genericPlans: 0, customPlans: 10 });
  });
});

describe('the look for all idle loops', () => {
  it('finds which of its parts have a row, by one plan', async () => {
    const url = platform.state.databaseLogins['relay'] ?? '';
    const database = new Database({ service: 'relay', url, poolSize: 1, log });
    await database.connect();
    try {
      const read = (sql: string, ...params: unknown[]): Statement => ({ sql, params });
      const probe = probeOf([
        read('select 1 where $1::int = 1', 2),
        read('select value from generate_series(1, $2::int) value where value > $1::int order by value limit 1', 1, 2),
        read('select 1 from holders where beat_at is null limit 1'),
        read('select 1 where not $1::boolean', false),
      ]);
      for (let times = 0; times < 10; times += 1)
        expect(await database.systemRead('look', [probe])).toEqual([[{ found: [1, 3] }]]);
      const plans = `select generic_plans::int, custom_plans::int from pg_prepared_statements where name = $1`;
      const planned = await database.system('look at plans', (tx) => tx.one(plans, [probe.name]));
      expect(planned).toEqual({ genericPlans: 10, customPlans: 0 });
    } finally {
      await database.close();
    }
  });
});

describe('plans that are made while a table is small', () => {
  it('reach rows by their keys, except where users search', async () => {
    expect(await planOf(false)).not.toContain('Seq Scan');
    expect(await planOf(true)).toContain('Seq Scan');
  });

  it('reach rows of a state by their keys, not by the index of that state', async () => {
    const planOfFound = (running: string): Promise<string> =>
      inTransaction(false, async (tx) => {
        await tx.run('create temporary table runs (id uuid primary key, status text not null) on commit drop');
        await tx.run(`create index running on runs (status) where status = 'RUNNING'`);
        await tx.run(`insert into runs select gen_random_uuid(), 'ENDED' from generate_series(1, 2000)`);
        await tx.run('analyze runs');
        const found = `unnest($1::uuid[]) as found (id) join runs r on r.id = found.id where ${running}`;
        return tx.query(`explain select r.id from ${found} for update of r`, [[newId(), newId()]]);
      });
    const byKey = await planOfFound(sqlStatesByKey('r.status', 'RUNNING'));
    expect(byKey).toContain('runs_pkey');
    expect(byKey).not.toContain('using running');
    // Why it is not written so.
    expect(await planOfFound(`r.status = 'RUNNING'`)).toContain('using running');
  });

  it.each([true, false])('are never compiled, however dear they look (searched: %s)', async (isSearched) => {
    const plan = await inTransaction(isSearched, async (tx) => {
      await tx.run(`set local enable_sort = 'off'`);
      return tx.query(`explain (analyze) select n from generate_series(1, 3) n order by n desc`);
    });
    expect(plan).toContain('cost=1000000');
    expect(plan).not.toContain('JIT');
  });
});
