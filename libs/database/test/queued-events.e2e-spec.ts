import { randomBytes } from 'node:crypto';
import { Database, Outbox, messagingTables, migrate, prepareDatabase, serviceUrl } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { AdminDatabase, until, usePlatform } from '@switchyard/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const login = { service: 'trial', password: 'queued' };

/** The tables that every service has, and none of its own. */
class MakeMessagingTables1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await messagingTables(runner);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** A database with only an outbox, for each test. */
function useTrial() {
  let name: string;
  let url: string;
  let admin: AdminDatabase;
  let database: Database;
  let outbox: Outbox;

  const open = async (): Promise<void> => {
    database = new Database({ service: 'trial', url: serviceUrl(url, login), poolSize: 1, log });
    await database.connect();
    outbox = new Outbox(database);
  };

  beforeEach(async () => {
    name = `queued_${randomBytes(6).toString('hex')}`;
    await platform.database.query(`create database ${name}`);
    const own = new URL(platform.state.databaseUrl);
    own.pathname = `/${name}`;
    url = own.href;
    await prepareDatabase(url, [login]);
    await migrate(url, { service: 'trial', migrations: [MakeMessagingTables1700000000001] });
    admin = new AdminDatabase(() => url);
    await open();
  });

  afterEach(async () => {
    await database.close();
    await admin.close();
    await platform.database.query(`drop database ${name} with (force)`);
  });

  return {
    open,
    get admin(): AdminDatabase {
      return admin;
    },
    get database(): Database {
      return database;
    },
    get outbox(): Outbox {
      return outbox;
    },
  };
}

describe('claims of queued events', () => {
  const trial = useTrial();

  /** Events of one Space, alternating between its keys. */
  const queue = (spaceId: string | null, count: number, keys: readonly string[]): Promise<unknown> =>
    trial.admin.query(
      `insert into trial.outbox (id, name, at, ctx, data, order_key, pending, epoch, locked_until)
       select gen_random_uuid(), 'trial.happened', now(), jsonb_build_object('spaceId', $1::text), jsonb_build_object('number', n),
              ($3::text[])[1 + n % array_length($3::text[], 1)], '{job}', -1, now() from generate_series(0, $2::int - 1) n`,
      [spaceId, count, keys],
    );

  const claim = async (
    limit = 32,
  ): Promise<{ id: string; spaceId: string | null; orderKey: string; number: number }[]> =>
    (await trial.outbox.claimQueued(limit)).map(({ id, ctx, orderKey, data }) => ({
      id,
      spaceId: ctx.spaceId,
      orderKey: orderKey ?? '',
      number: (data as { number: number }).number,
    }));

  it('take from each Space its share, however much others have queued before', async () => {
    const large = newId();
    const small = [newId(), newId()];
    await queue(large, 2_000, [newId(), newId()]);
    for (const spaceId of small) await queue(spaceId, 5, [newId()]);
    await queue(null, 5, ['without a Space']);
    const claimed = await claim();
    const bySpace = (spaceId: string | null): number[] =>
      claimed.filter((event) => event.spaceId === spaceId).map(({ number }) => number);
    for (const spaceId of [...small, null]) expect(bySpace(spaceId)).toEqual([0, 1, 2, 3, 4]);
    expect(bySpace(large)).toHaveLength(8);
    await trial.outbox.dequeue(
      claimed.map(({ id }) => id),
      [],
    );
    // As the only Space it gets the whole claim.
    expect(await claim()).toHaveLength(32);
  });

  const claimAndPublish = async (): Promise<Awaited<ReturnType<typeof claim>>> => {
    const claimed = await claim();
    await trial.outbox.dequeue(
      claimed.map(({ id }) => id),
      [],
    );
    return claimed;
  };

  it('go round the Spaces, and round the keys of each', async () => {
    const spaces = Array.from({ length: 40 }, () => newId());
    for (const spaceId of spaces) await queue(spaceId, 100, [newId()]);
    const turns = [await claimAndPublish(), await claimAndPublish(), await claimAndPublish()];
    expect(new Set(turns.flat().map(({ spaceId }) => spaceId)).size).toBe(spaces.length);
    await trial.admin.query('delete from trial.outbox');
    const keys = Array.from({ length: 50 }, () => newId());
    const spaceId = newId();
    for (const key of keys) await queue(spaceId, 100, [key]);
    const more = [await claimAndPublish(), await claimAndPublish(), await claimAndPublish(), await claimAndPublish()];
    expect(new Set(more.flat().map(({ orderKey }) => orderKey)).size).toBe(keys.length);
  });

  it('pass a key that somebody has, and Spaces of which all keys are taken', async () => {
    const [hot, other] = [newId(), newId()];
    const spaceId = newId();
    await queue(spaceId, 1000, [hot]);
    const first = await claim();
    await queue(spaceId, 3, [other]);
    expect((await claim()).map((event) => [event.orderKey, event.number])).toEqual([0, 1, 2].map((n) => [other, n]));
    // More Spaces than one pass covers, each with a key in flight.
    for (let count = 0; count < 40; count += 1) await queue(newId(), 2, [newId()]);
    let taken: unknown[];
    do taken = await claim();
    while (taken.length > 0);
    const last = newId();
    await queue(last, 1, [newId()]);
    expect((await claim()).map((event) => event.spaceId)).toEqual([last]);
    await trial.outbox.dequeue(first.slice(0, 10).map(({ id }) => id), first.slice(10).map(({ id }) => id)); // oxfmt-ignore
    expect((await claim())[0]).toMatchObject({ orderKey: hot, number: 10 });
  });

  it('end by bytes, with the oldest of each key first', async () => {
    const [spaceId, one, other] = [newId(), newId(), newId()];
    await queue(spaceId, 40, [one, other]);
    await trial.admin.query('update trial.outbox set data = data || $1::jsonb', [{ text: 'x'.repeat(1_000_000) }]);
    const numbers = async (): Promise<number[]> => (await claimAndPublish()).map(({ number }) => number);
    expect([await numbers(), await numbers()]).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
    await trial.admin.query('update trial.outbox set data = data || $1::jsonb', [{ text: 'x'.repeat(5_000_000) }]);
    expect(await numbers()).toHaveLength(1);
  });

  it('read no more rows when much is queued', async () => {
    await queue(newId(), 15_000, [newId(), newId()]);
    await queue(newId(), 15_000, [newId()]);
    await trial.admin.query('analyze trial.outbox');
    await trial.database.close();
    const rowsRead = async (): Promise<number> => {
      const [row] = await trial.admin.query<{ rows: string }>(
        `select (select seq_tup_read from pg_stat_user_tables where relname = 'outbox')
                + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'outbox') as rows`,
      );
      return Number(row?.rows);
    };
    const before = await rowsRead();
    // As autovacuum may: index entries of claimed events remain, and are read again.
    const letGo = await trial.admin.hold('set transaction isolation level repeatable read; select 1');
    await trial.open();
    for (let turn = 0; turn < 20; turn += 1) {
      const claimed = await claim();
      // Half of the keys stay in flight at every other pass.
      if (turn % 2 === 0)
        await trial.outbox.dequeue(
          claimed.map(({ id }) => id),
          [],
        );
    }
    // A session reports its statistics when it ends.
    await trial.database.close();
    await until(async () => (await rowsRead()) > before);
    await letGo();
    // It is 11,974, and 3,310 without an open snapshot; twenty full scans would be 600,000.
    expect((await rowsRead()) - before).toBeLessThan(13_000);
  });
});

describe('claims of events that are due', () => {
  const trial = useTrial();

  /** Published but not confirmed in time. */
  const publish = (spaceId: string | null, count: number): Promise<unknown> =>
    trial.admin.query(
      `insert into trial.outbox (id, name, at, ctx, data, order_key, pending, epoch, locked_until)
       select gen_random_uuid(), 'trial.happened', now(), jsonb_build_object('spaceId', $1::text), '{}', $1, '{job}', 0,
              clock_timestamp() - interval '1 minute' from generate_series(1, $2::int)`,
      [spaceId, count],
    );
  const claim = async (limit: number): Promise<(string | null)[]> =>
    (await trial.outbox.claimDue(limit)).rows.map(({ ctx }) => ctx.spaceId);

  it('take from each Space in turn, also if others have earlier due times', async () => {
    const [large, ...small] = Array.from({ length: 4 }, () => newId());
    await publish(large ?? '', 1_000);
    for (const spaceId of [...small, null]) await publish(spaceId, 3);
    const first = await claim(40);
    for (const spaceId of [...small, null]) expect(first.filter((claimed) => claimed === spaceId)).toHaveLength(3);
    expect(first).toHaveLength(40);
    // As the only Space it gets the whole claim.
    expect(await claim(200)).toEqual(Array.from({ length: 200 }, () => large));
  });

  it('pass Spaces of which nothing is due, and go round all that there are', async () => {
    for (let count = 0; count < 150; count += 1) await publish(newId(), 2);
    await trial.admin.query(`update trial.outbox set locked_until = now() + interval '1 hour'`);
    const due = [newId(), newId(), newId()];
    for (const spaceId of due) await publish(spaceId, 1);
    expect((await claim(200)).sort()).toEqual([...due].sort());
    expect(await claim(200)).toEqual([]);
    await trial.admin.query(`update trial.outbox set locked_until = 'epoch'`);
    const spaces = [...(await claim(80)), ...(await claim(80)), ...(await claim(80))];
    expect(new Set(spaces).size).toBeGreaterThan(140);
  });

  it('end by bytes, also of what the database compresses, and say that there is more', async () => {
    const spaces = [newId(), newId()];
    for (const spaceId of spaces) {
      await publish(spaceId, 3);
      await trial.admin.query(`update trial.outbox set data = $1 where order_key = $2`, [
        { text: 'x'.repeat(1_000_000) },
        spaceId,
      ]);
    }
    const first = await trial.outbox.claimDue(200);
    expect(first).toMatchObject({ hasMore: true });
    expect(first.rows.map(({ ctx }) => ctx.spaceId).sort()).toEqual([...spaces, ...spaces].sort());
    const second = await trial.outbox.claimDue(200);
    expect({ rows: second.rows.length, hasMore: second.hasMore }).toEqual({ rows: 2, hasMore: false });
    await publish(newId(), 1);
    await trial.admin.query('update trial.outbox set data = $1 where epoch = 0', [{ text: 'x'.repeat(5_000_000) }]);
    expect((await trial.outbox.claimDue(200)).rows).toHaveLength(1);
  });
});
