import { randomBytes } from 'node:crypto';
import { Database, Outbox, migrate, prepareDatabase, serviceUrl } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { AdminDatabase, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const login = { service: 'trial', password: 'queued' };

describe('claims of queued events', () => {
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
    await migrate(url, { service: 'trial', migrations: [] });
    admin = new AdminDatabase(() => url);
    await open();
  });

  afterEach(async () => {
    await database.close();
    await admin.close();
    await platform.database.query(`drop database ${name} with (force)`);
  });

  /** Events of one Space, in turn under each of its keys. */
  const queue = (spaceId: string | null, count: number, keys: readonly string[]): Promise<unknown> =>
    admin.query(
      `insert into trial.outbox (id, name, at, ctx, data, order_key, pending, epoch, locked_until)
       select gen_random_uuid(), 'trial.happened', now(), jsonb_build_object('spaceId', $1::text), jsonb_build_object('number', n),
              ($3::text[])[1 + n % array_length($3::text[], 1)], '{job}', -1, now() from generate_series(0, $2::int - 1) n`,
      [spaceId, count, keys],
    );

  const claim = async (
    limit = 32,
  ): Promise<{ id: string; spaceId: string | null; orderKey: string; number: number }[]> =>
    (await outbox.claimQueued(limit)).map(({ id, ctx, orderKey, data }) => ({
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
    await outbox.dequeue(
      claimed.map(({ id }) => id),
      [],
    );
    // Alone again, it has the whole claim.
    expect(await claim()).toHaveLength(32);
  });

  const claimAndPublish = async (): Promise<Awaited<ReturnType<typeof claim>>> => {
    const claimed = await claim();
    await outbox.dequeue(
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
    await admin.query('delete from trial.outbox');
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
    // More Spaces than one look takes in, each with a key that is taken.
    for (let count = 0; count < 40; count += 1) await queue(newId(), 2, [newId()]);
    let taken: unknown[];
    do taken = await claim();
    while (taken.length > 0);
    const last = newId();
    await queue(last, 1, [newId()]);
    expect((await claim()).map((event) => event.spaceId)).toEqual([last]);
    await outbox.dequeue(first.slice(0, 10).map(({ id }) => id), first.slice(10).map(({ id }) => id)); // prettier-ignore
    expect((await claim())[0]).toMatchObject({ orderKey: hot, number: 10 });
  });

  it('read no more rows when much is queued', async () => {
    await queue(newId(), 15_000, [newId(), newId()]);
    await queue(newId(), 15_000, [newId()]);
    await admin.query('analyze trial.outbox');
    await database.close();
    const rowsRead = async (): Promise<number> => {
      const [row] = await admin.query<{ rows: string }>(
        `select (select seq_tup_read from pg_stat_user_tables where relname = 'outbox')
                + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'outbox') as rows`,
      );
      return Number(row?.rows);
    };
    const before = await rowsRead();
    await open();
    for (let turn = 0; turn < 20; turn += 1) {
      const claimed = await claim();
      // One half of them stays, so that the keys are taken at every other look.
      if (turn % 2 === 0)
        await outbox.dequeue(
          claimed.map(({ id }) => id),
          [],
        );
    }
    // A session counts what it has read when it ends.
    await database.close();
    await until(async () => (await rowsRead()) > before);
    expect((await rowsRead()) - before).toBeLessThan(10_000);
  });
});
