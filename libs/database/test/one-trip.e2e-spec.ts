import { usePlatform } from '@switchyard/testing';
import { Client, type Submittable } from 'pg';
import { PipelinedBatch, type Rows, type Statement } from '../src/client/pipelined-batch';

const platform = usePlatform();

describe('statements of one trip', () => {
  let client: Client;

  const run = (...statements: Statement[]): Promise<Rows[]> => {
    const batch = new PipelinedBatch(statements);
    client.query(batch as unknown as Submittable);
    return batch.result;
  };
  const add = (n: number): Statement => ({ name: 'add', sql: 'insert into kept (n) values ($1)', params: [n] });
  const all: Statement = { name: 'all', sql: 'select n, now() as read_at from kept order by n', params: [] };
  const numbers = async (): Promise<unknown[]> => (await run(all))[0]?.map((row) => row['n']) ?? [];

  beforeAll(async () => {
    client = new Client({ connectionString: platform.state.databaseUrl });
    await client.connect();
  });

  beforeEach(() =>
    client.query(`drop table if exists kept; create temp table kept (n int unique deferrable initially deferred)`),
  );

  afterAll(() => client.end());

  it('see what came before them, and answer row by row as ever', async () => {
    const [, seen] = await run(add(1), all);
    expect(seen).toEqual([{ n: 1, readAt: expect.stringMatching(/Z$/) as string }]);
    const again = await run(add(2), all);
    expect(again[1]?.map((row) => row['n'])).toEqual([1, 2]);
  });

  it('hold together or not at all, and can be sent again after a failure', async () => {
    const broken: Statement = { name: 'broken', sql: 'select 1 / $1::int', params: [0] };
    await expect(run(add(1), broken, add(2))).rejects.toMatchObject({ code: '22012' });
    expect(await numbers()).toEqual([]);
    await run(add(1), { ...broken, params: [1] }, add(2));
    expect(await numbers()).toEqual([1, 2]);
  });

  it('may be the same several times, also on a line that does not know it yet', async () => {
    const same = (n: number): Statement => ({ name: 'same', sql: 'select $1::int + 1 as n', params: [n] });
    expect(await run(same(1), same(2), same(3))).toEqual([[{ n: 2 }], [{ n: 3 }], [{ n: 4 }]]);
    expect(await run(same(4), same(5))).toEqual([[{ n: 5 }], [{ n: 6 }]]);
  });

  it('leave no name behind that the next one could not use', async () => {
    const fresh: Statement = { name: 'fresh', sql: 'select $1::int as n', params: [1] };
    await expect(run(fresh, { sql: 'select 1 / 0', params: [] })).rejects.toMatchObject({ code: '22012' });
    expect((await client.query({ name: 'fresh', text: fresh.sql, values: [2] })).rows).toEqual([{ n: 2 }]);
    expect(await run({ ...fresh, params: [3] })).toEqual([[{ n: 3 }]]);
  });

  it('fail as a whole when the commit does', async () => {
    await expect(run(add(1), add(1))).rejects.toMatchObject({ code: '23505' });
    expect(await numbers()).toEqual([]);
  });

  it('write nothing when a value cannot be sent', async () => {
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    await expect(run(add(1), { sql: 'select $1::json', params: [endless] })).rejects.toThrow('circular');
    expect(await numbers()).toEqual([]);
  });

  it('leave no setting behind', async () => {
    const set: Statement = { name: 'set', sql: `select set_config('app.space_id', 'x', true) as space`, params: [] };
    const get: Statement = { name: 'get', sql: `select current_setting('app.space_id', true) as space`, params: [] };
    expect(await run(set, get)).toEqual([[{ space: 'x' }], [{ space: 'x' }]]);
    expect(await run(get)).toEqual([[{ space: '' }]]);
  });
});
