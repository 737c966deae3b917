import { type Ctx, makeCtx } from '@switchyard/contracts';
import { Database, WritesTogether } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const table = `public.noted_${newId().replaceAll('-', '')}`;

const inSpace = (spaceId: string): Ctx =>
  makeCtx({
    spaceId,
    userId: null,
    role: 'OWNER',
    scopes: ['*'],
    credentialId: null,
    credentialType: 'jwt',
    applicationId: null,
  });

describe('writes that come together', () => {
  let database: Database;
  let together: WritesTogether;
  let ctx: Ctx;
  let spaceId: string;

  beforeAll(async () => {
    const url = platform.state.databaseLogins['task'] ?? '';
    database = new Database({ service: 'task', url, poolSize: 6, log });
    await database.connect();
    await platform.database.query(
      `create table ${table} (space_id uuid, name text, part int, primary key (space_id, name))`,
    );
    await platform.database.query(`grant all on ${table} to ${new URL(url).username}`);
    await platform.database.query(`alter table ${table} enable row level security`);
    await platform.database.query(
      `create policy own on ${table} using (space_id = current_setting('app.space_id')::uuid)`,
    );
  });

  beforeEach(() => {
    spaceId = newId();
    ctx = inSpace(spaceId);
    together = new WritesTogether(database);
  });

  afterAll(async () => {
    await database.close();
    await platform.database.query(`drop table ${table}`);
  });

  const insert = (name: string, part = 1, owner = spaceId) => ({
    name: 'note',
    sql: `insert into ${table} values ($1, $2, 6 / $3::int) on conflict do nothing returning name, part, txid_current()::text as tx`,
    params: [owner, name, part],
  });
  const note = (name: string, part = 1, owner = spaceId): Promise<{ name: string; tx: string }[]> =>
    together
      .add(ctx, { statements: [insert(name, part, owner)], order: name, bytes: 100 })
      .then(([rows]) => rows as { name: string; tx: string }[]);
  const stored = async (): Promise<string[]> => {
    const [rows] = await database.read(ctx, [{ sql: `select name from ${table} order by name`, params: [] }]);
    return (rows ?? []).map((row) => row['name'] as string);
  };
  /** A transaction of somebody else that has written a name and does not end before it is told to. */
  async function written(name: string): Promise<() => Promise<void>> {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let hold!: () => void;
    const held = new Promise<void>((resolve) => (hold = resolve));
    const holding = database.transaction(ctx, async (tx) => {
      await tx.run(insert(name).sql, insert(name).params);
      hold();
      await ended;
    });
    await held;
    return () => {
      end();
      return holding;
    };
  }

  it('commit once, each with its own answer', async () => {
    const first = note('a');
    const others = ['d', 'b', 'c'].map((name) => note(name));
    await first;
    const rows = (await Promise.all(others)).flat();
    expect(rows.map(({ name }) => name)).toEqual(['d', 'b', 'c']);
    expect(new Set(rows.map(({ tx }) => tx)).size).toBe(1);
    expect(rows[0]?.tx).not.toBe((await first)[0]?.tx);
    expect(await stored()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('answer by all their statements', async () => {
    const two = (name: string) =>
      together.add(ctx, {
        statements: [insert(name), { sql: 'select $1::text as said', params: [`after ${name}`] }],
        order: name,
        bytes: 100,
      });
    const answers = await Promise.all([two('c'), two('b'), two('a')]);
    expect(answers.map(([rows, said]) => [rows?.[0]?.['name'], said])).toEqual(
      ['c', 'b', 'a'].map((name) => [name, [{ said: `after ${name}` }]]),
    );
  });

  it('hear only their own refusal', async () => {
    await note('taken');
    const first = note('a');
    const [taken, broken, foreign, ...fine] = await Promise.allSettled([
      note('taken'),
      note('broken', 0),
      note('foreign', 1, newId()),
      note('b'),
      note('c'),
    ]);
    await first;
    expect(taken).toMatchObject({ status: 'fulfilled', value: [] });
    expect(broken).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } });
    expect(foreign).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
    expect(fine.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await stored()).toEqual(['a', 'b', 'c', 'taken']);
  });

  it('do not wait for one of them that others hold', async () => {
    const end = await written('held');
    const first = note('a');
    const held = note('held');
    const others = ['b', 'c'].map((name) => note(name));
    await first;
    expect((await Promise.all(others)).flat().map(({ name }) => name)).toEqual(['b', 'c']);
    // Nor who comes later, beside one that is held alone.
    const alone = note('held');
    expect(await note('d')).toHaveLength(1);
    await end();
    expect(await Promise.all([held, alone])).toEqual([[], []]);
  });

  it('of one Space do not wait for those of another', async () => {
    const end = await written('held');
    const held = note('held');
    const own = spaceId;
    spaceId = newId();
    ctx = inSpace(spaceId);
    expect(await note('mine')).toHaveLength(1);
    expect(await stored()).toEqual(['mine']);
    await end();
    expect(await held).toEqual([]);
    expect(own).not.toBe(spaceId);
  });

  it('of two processes do not wait for each other in a circle', async () => {
    const elsewhere = new WritesTogether(database);
    const names = Array.from({ length: 12 }, (_, n) => `n${n}`);
    const rounds = Array.from({ length: 20 }, (_, round) => round);
    const add = (by: WritesTogether, name: string) =>
      by.add(ctx, { statements: [insert(name)], order: name, bytes: 100 }).then(([rows]) => rows ?? []);
    for (const round of rounds) {
      const both = await Promise.all([
        ...names.map((name) => add(together, `${round} ${name}`)),
        ...names.toReversed().map((name) => add(elsewhere, `${round} ${name}`)),
      ]);
      expect(both.flat()).toHaveLength(names.length);
    }
  });
});
