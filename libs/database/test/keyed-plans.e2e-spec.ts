import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { Database } from '@switchyard/database';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };

/** How a prepared statement would go on reading a table that held one row when it was planned. */
async function planOf(isSearched: boolean): Promise<string> {
  const url = platform.state.databaseLogins['relay'] ?? '';
  const database = new Database({ service: 'relay', url, poolSize: 1, log, isSearched });
  await database.connect();
  try {
    const rows = await database.system('look at a plan', async (tx) => {
      await tx.run('create temporary table few (id uuid primary key) on commit drop');
      await tx.run('insert into few values ($1)', [newId()]);
      await tx.run('analyze few');
      return tx.query<{ 'QUERY PLAN': string }>(`explain select id from few where id = '${newId()}'`);
    });
    return JSON.stringify(rows);
  } finally {
    await database.close();
  }
}

describe('plans that are made while a table is small', () => {
  it('reach rows by their keys, except where users search', async () => {
    expect(await planOf(false)).not.toContain('Seq Scan');
    expect(await planOf(true)).toContain('Seq Scan');
  });
});
