import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { Database, type Tx } from '@switchyard/database';

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

/** How a prepared statement would go on reading a table that held one row when it was planned. */
const planOf = (isSearched: boolean): Promise<string> =>
  inTransaction(isSearched, async (tx) => {
    await tx.run('create temporary table few (id uuid primary key) on commit drop');
    await tx.run('insert into few values ($1)', [newId()]);
    await tx.run('analyze few');
    return tx.query(`explain select id from few where id = '${newId()}'`);
  });

describe('plans that are made while a table is small', () => {
  it('reach rows by their keys, except where users search', async () => {
    expect(await planOf(false)).not.toContain('Seq Scan');
    expect(await planOf(true)).toContain('Seq Scan');
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
