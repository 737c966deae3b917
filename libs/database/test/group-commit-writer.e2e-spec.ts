import type { Ctx } from '@switchyard/contracts';
import { Database, GroupCommitWriter } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { ctxIn } from './ctx-in';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const table = `public.noted_${newId().replaceAll('-', '')}`;

describe('writes that come together', () => {
  let database: Database;
  let writer: GroupCommitWriter;
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
    ctx = ctxIn(spaceId);
    writer = new GroupCommitWriter(database);
  });

  afterEach(() => {
    jest.restoreAllMocks();
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
    writer
      .add(ctx, { statements: [insert(name, part, owner)], order: name, bytes: 100 })
      .then(([rows]) => rows as { name: string; tx: string }[]);
  const stored = async (): Promise<string[]> => {
    const [rows] = await database.read(ctx, [{ sql: `select name from ${table} order by name`, params: [] }]);
    return (rows ?? []).map((row) => row['name'] as string);
  };
  /** Round trips since then: batches, and members that are retried alone. */
  const statementsSince = (target: Database): (() => number) => {
    const spies = [jest.spyOn(target, 'writeInSpaces'), jest.spyOn(target, 'writeInSpace')];
    return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  };
  /** The same for other Spaces. */
  const inOtherSpaces = (count: number) =>
    Array.from({ length: count }, () => newId()).map((owner) => ({
      owner,
      note: (name: string, rowOf = owner) =>
        writer
          .add(ctxIn(owner), { statements: [insert(name, 1, rowOf)], order: name, bytes: 100 })
          .then(([rows]) => rows as { name: string; tx: string }[]),
    }));
  /** A transaction that has written a name and stays open until released. */
  async function written(name: string): Promise<() => Promise<void>> {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let hold!: () => void;
    const blocked = new Promise<void>((resolve) => (hold = resolve));
    const holding = database.transaction(ctx, async (tx) => {
      await tx.run(insert(name).sql, insert(name).params);
      hold();
      await ended;
    });
    await blocked;
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
      writer.add(ctx, {
        statements: [insert(name), { sql: 'select $1::text as said', params: [`after ${name}`] }],
        order: name,
        bytes: 100,
      });
    const answers = await Promise.all([two('c'), two('b'), two('a')]);
    expect(answers.map(([rows, failure]) => [rows?.[0]?.['name'], failure])).toEqual(
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
    const blocked = note('held');
    const others = ['b', 'c'].map((name) => note(name));
    await first;
    expect((await Promise.all(others)).flat().map(({ name }) => name)).toEqual(['b', 'c']);
    // Later writes are not delayed either, next to one that is retried alone.
    const alone = note('held');
    expect(await note('d')).toHaveLength(1);
    await end();
    expect(await Promise.all([blocked, alone])).toEqual([[], []]);
  });

  it('of one Space do not wait for those of another', async () => {
    const end = await written('held');
    const blocked = note('held');
    spaceId = newId();
    ctx = ctxIn(spaceId);
    expect(await note('mine')).toHaveLength(1);
    expect(await stored()).toEqual(['mine']);
    await end();
    expect(await blocked).toEqual([]);
  });

  it('of several Spaces commit once, each in its own', async () => {
    const spaces = inOtherSpaces(6);
    const seen = { sql: `select count(*)::int as n from ${table}`, params: [] };
    const begun = Array.from({ length: 2 }, (_, n) => note(`first${n}`));
    // In order of Space, so that each is followed by one that must not see it.
    const all = await Promise.all(
      spaces.map(({ owner }) =>
        writer.add(ctxIn(owner), { statements: [insert('a', 1, owner), seen], order: 'a', bytes: 100 }),
      ),
    );
    await Promise.all(begun);
    expect(new Set(all.map(([rows]) => rows?.[0]?.['tx'])).size).toBeLessThan(spaces.length);
    expect(all.map(([, counted]) => counted)).toEqual(spaces.map(() => [{ n: 1 }]));
  });

  it('of several Spaces cannot be written into another one that came with them', async () => {
    const spaces = inOtherSpaces(6);
    const [victim, thief] = spaces;
    const begun = Array.from({ length: 2 }, (_, n) => note(`first${n}`));
    const all = await Promise.allSettled([
      ...spaces.map((space) => space.note('own')),
      thief?.note('stolen', victim?.owner),
    ]);
    await Promise.all(begun);
    expect(all.map(({ status }) => status)).toEqual([...spaces.map(() => 'fulfilled'), 'rejected']);
    expect(all.at(-1)).toMatchObject({ reason: { code: 'NOT_FOUND' } });
    const [rows] = await database.read(ctxIn(victim?.owner ?? ''), [{ sql: `select name from ${table}`, params: [] }]);
    expect(rows).toEqual([{ name: 'own' }]);
  });

  it('of a Space that held others up go beside theirs from then on', async () => {
    const end = await written('held');
    const [other, ...first] = inOtherSpaces(3);
    const begun = first.map((space) => space.note('a'));
    // Batched together, and so delayed: each is retried alone.
    const delayed = [note('held'), other?.note('x')];
    await Promise.all([...begun, delayed[1]]);
    // Two batches run at a time: it would be in one of them if it were not retried alone now.
    const statements = statementsSince(database);
    const blocked = note('held');
    const others = first.map((space) => space.note('b'));
    expect(statements()).toBe(3);
    await Promise.all(others);
    await end();
    expect(await Promise.all([delayed[0], blocked])).toEqual([[], []]);
  });

  it('of two processes do not run into deadlocks', async () => {
    const other = new GroupCommitWriter(database);
    const statements = statementsSince(database);
    const names = Array.from({ length: 8 }, (_, n) => `n${n}`);
    const rounds = Array.from({ length: 6 }, (_, round) => round);
    // Long enough for both batches to start.
    const pause = { sql: 'select pg_sleep(0.003)::text', params: [] };
    const add = (by: GroupCommitWriter, name: string) =>
      by.add(ctx, { statements: [insert(name), pause], order: name, bytes: 100 }).then(([rows]) => rows ?? []);
    for (const round of rounds) {
      const both = await Promise.all([
        ...names.map((name) => add(writer, `${round} ${name}`)),
        ...names.toReversed().map((name) => add(other, `${round} ${name}`)),
      ]);
      expect(both.flat()).toHaveLength(names.length);
    }
    // Two batches of each process: a batch that is rolled back takes a round trip for each member.
    expect(statements()).toBeLessThan(rounds.length * 7);
  });

  it('share a trip also on a connection that has never seen their statement', async () => {
    const url = platform.state.databaseLogins['task'] ?? '';
    const fresh = new Database({ service: 'task', url, poolSize: 1, log });
    await fresh.connect();
    try {
      const statements = statementsSince(fresh);
      writer = new GroupCommitWriter(fresh);
      const other = (name: string) =>
        writer.add(ctx, { statements: [{ ...insert(name), name: 'other' }], order: name, bytes: 100 });
      await Promise.all([note('a'), ...['b', 'c', 'd'].map(other)]);
      expect(statements()).toBe(2);
      expect(await stored()).toEqual(['a', 'b', 'c', 'd']);
    } finally {
      await fresh.close();
    }
  });

  it('leave a slow one behind', async () => {
    const slow = { sql: `select pg_sleep(3)::text as slept`, params: [] };
    const first = note('a');
    const waiting = writer.add(ctx, { statements: [slow], order: 'slow', bytes: 100 });
    const others = ['b', 'c'].map((name) => note(name));
    await first;
    let isSlowDone = false;
    const slept = waiting.then((rows) => {
      isSlowDone = true;
      return rows;
    });
    expect((await Promise.all(others)).flat()).toHaveLength(2);
    expect(isSlowDone).toBe(false);
    expect(await slept).toEqual([[{ slept: '' }]]);
  });

  it('are not made after their deadline, and only so many may wait', async () => {
    const first = note('a');
    const late = writer.add(
      { ...ctx, deadline: Date.now() - 1 },
      { statements: [insert('late')], order: 'late', bytes: 100 },
    );
    const many = await Promise.allSettled(Array.from({ length: 1_100 }, (_, n) => note(`m${n}`)));
    await first;
    await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' });
    const refused = many.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(102);
    expect(refused[0]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
    expect(await stored()).toHaveLength(1 + 1_100 - 102);
  });

  it('hold only so many bytes for a Space', async () => {
    const first = note('a');
    const large = (name: string) =>
      writer.add(ctx, { statements: [insert(name)], order: name, bytes: 30 * 1024 * 1024 });
    const [one, two] = await Promise.allSettled([large('b'), large('c')]);
    await first;
    expect(one.status).toBe('fulfilled');
    expect(two).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    expect(await large('d')).toHaveLength(1);
    expect(await stored()).toEqual(['a', 'b', 'd']);
  });

  it('are not retried if the connection was lost and it is unknown whether they were committed', async () => {
    const statements = statementsSince(database);
    const cut = {
      sql: `select pg_terminate_backend(pg_backend_pid())`,
      params: [],
    };
    const first = note('a');
    const broken = writer.add(ctx, { statements: [insert('lost'), cut], order: 'z', bytes: 100 });
    const other = note('b');
    await first;
    await expect(broken).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(other).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(statements()).toBe(2);
    expect(await stored()).toEqual(['a']);
  });
});
