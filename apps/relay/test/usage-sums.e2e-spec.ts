import { USAGE_GROUPS } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { type TestSpace, avoidMidnight, until, usePlatform } from '@switchyard/testing';
import { TokenAccountsRepository } from '../src/db/token-accounts.repository';
import { LedgerBatchRepository, type Due } from '../src/db/ledger-batch.repository';
import { KeyAccountsRepository } from '../src/db/key-accounts.repository';
import { UsageSumsRepository } from '../src/db/usage-sums.repository';
import { type Range, addEntries, ledgerUsage } from './support/past-usage';

// Entries of the past are written into the database. A Space without an account is not summed up by the service itself.
const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const [accounts, books, keys, sums] = [
  new TokenAccountsRepository(),
  new LedgerBatchRepository(),
  new KeyAccountsRepository(),
  new UsageSumsRepository(),
];
let database: Database;

beforeAll(async () => {
  database = new Database({ service: 'relay', url: platform.state.databaseLogins['relay'] ?? '', poolSize: 8, log });
  await database.connect();
});
afterAll(() => database.close());

const sumUp = (spaceId: string, limit: number): Promise<boolean> =>
  database.system('sum up in a test', (tx) => sums.sumUp(tx, spaceId, limit));
async function sumUpAll(spaceId: string, limit = 700): Promise<void> {
  while (await sumUp(spaceId, limit));
}

const query = (parts: object): string => new URLSearchParams({ ...parts }).toString();
const usage = async ({ owner }: TestSpace, groupBy: string, range: Range): Promise<unknown> =>
  (await owner.get(`/usage?${query({ groupBy, ...range })}`)).body.data;

/** The 10th and 12th have many calls, the 11th has few. */
const RANGES: Range[] = [
  {},
  { from: '2026-03-10', to: '2026-03-12' },
  { from: '2026-03-10T10:17:33.123456Z' },
  { to: '2026-03-12T05:59:59.999999Z' },
  { from: '2026-03-10T10:17:33.123456Z', to: '2026-03-12T05:59:59.999999Z' },
  { from: '2026-03-10T23:00:00+05:30', to: '2026-03-12T01:00:00-01:00' },
  { from: '2026-03-11T03:10:00Z', to: '2026-03-11T21:50:00Z' },
  { from: '2026-03-12T03:10:00Z', to: '2026-03-12T21:50:00Z' },
  { from: '2026-03-11T23:10:00Z', to: '2026-03-12T00:50:00Z' },
  { from: '2026-03-10T10:10:00Z', to: '2026-03-10T10:50:00Z' },
  { from: '2026-03-10T10:00:00Z', to: '2026-03-10T11:00:00Z' },
  { from: '2026-03-10T10:00:00.000001Z', to: '2026-03-10T12:00:00.0000009Z' },
  { from: '2026-03-10T10:00:00.000000400Z', to: '2026-03-10T12:00:00Z' },
  { from: '2026-03-10T12:00:00Z', to: '2026-03-10T12:00:00Z' },
  { from: '2026-03-20', to: '2026-03-21' },
];

async function expectAsInLedger(space: TestSpace, ranges = RANGES): Promise<void> {
  for (const range of ranges)
    for (const group of USAGE_GROUPS)
      expect([range, await usage(space, group, range)]).toEqual([
        range,
        await ledgerUsage(platform, space.id, group, range),
      ]);
}

const sumsOf = (spaceId: string, grain: string): Promise<{ start: string }[]> =>
  platform.database.query(
    `select distinct to_char(start at time zone 'utc', 'DD') as start from relay.usage_sums
      where space_id = $1 and grain = $2 order by 1`,
    [spaceId, grain],
  );

/** Three days, with calls at the very edges of an hour. */
async function threeDays(spaceId: string): Promise<void> {
  const add = (from: string, to: string, count: number) => addEntries(platform, spaceId, { from, to }, count);
  await add('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z', 3_000);
  for (const edge of ['09:59:59.999999', '10:00:00', '10:00:00.000001', '11:59:59.999999', '12:00:00'])
    await add(`2026-03-10T${edge}Z`, `2026-03-10T${edge}Z`, 3);
  await add('2026-03-11T00:00:00Z', '2026-03-12T00:00:00Z', 400);
  await add('2026-03-12T00:00:00Z', '2026-03-13T00:00:00Z', 2_400);
}

describe('usage', () => {
  it('is the same before entries are summed up, after it, and with those that come later', async () => {
    const space = await platform.newSpace();
    await threeDays(space.id);
    await expectAsInLedger(space);
    await sumUp(space.id, 700);
    await expectAsInLedger(space);
    await sumUpAll(space.id);
    await expectAsInLedger(space);
    expect([await sumsOf(space.id, 'day'), await sumsOf(space.id, 'hour')]).toEqual([
      [{ start: '10' }, { start: '11' }, { start: '12' }],
      [{ start: '10' }, { start: '12' }],
    ]);
    // Also of times that were summed up long ago, of a day that gets its hours only now, and of a new one.
    await addEntries(platform, space.id, { from: '2026-03-09T20:00:00Z', to: '2026-03-14T05:00:00Z' }, 900);
    await addEntries(platform, space.id, { from: '2026-03-11T02:00:00Z', to: '2026-03-11T23:00:00Z' }, 1_900);
    await expectAsInLedger(space);
    await sumUpAll(space.id);
    await expectAsInLedger(space);
    expect(await sumsOf(space.id, 'hour')).toEqual([{ start: '10' }, { start: '11' }, { start: '12' }]);
  });

  it('counts each entry once, with several processes that sum it up and readers meanwhile', async () => {
    const space = await platform.newSpace();
    await threeDays(space.id);
    const range = { from: '2026-03-10T10:17:33Z', to: '2026-03-12T05:59:59Z' };
    const expected = await ledgerUsage(platform, space.id, 'user', range);
    let isOver = false;
    const asking = async (): Promise<void> => {
      while (!isOver) expect(await usage(space, 'user', range)).toEqual(expected);
    };
    const summing = async (): Promise<void> => {
      // A process that finds another one at work says that there is no more, so each comes again.
      for (let rounds = 0; rounds < 60; rounds += 1) await sumUp(space.id, 150);
    };
    const answers = Promise.all([asking(), asking()]);
    await Promise.all([summing(), summing(), summing()]).finally(() => (isOver = true));
    await answers;
    await sumUpAll(space.id);
    await expectAsInLedger(space);
  });

  it('counts nothing of a sum that came to nothing', async () => {
    const space = await platform.newSpace();
    await threeDays(space.id);
    const failing = database.system('fail in a test', async (tx) => {
      await sums.sumUp(tx, space.id, 3_000);
      throw new Error('no commit');
    });
    await expect(failing).rejects.toThrow('no commit');
    await sumUpAll(space.id);
    await expectAsInLedger(space, RANGES.slice(0, 5));
  });

  it('is not visible in another Space', async () => {
    const [space, other] = [await platform.newSpace(), await platform.newSpace()];
    await threeDays(space.id);
    await sumUpAll(space.id);
    expect(await usage(other, 'model', {})).toEqual([]);
    const seen = (by: string) =>
      database.inSpace(by, async (tx) => [
        await tx.query('select 1 from usage_sums limit 1'),
        await tx.query('select 1 from usage_summed limit 1'),
      ]);
    expect((await seen(space.id)).map((rows) => rows.length)).toEqual([1, 1]);
    expect((await seen(other.id)).map((rows) => rows.length)).toEqual([0, 0]);
  });
});

describe('a settlement', () => {
  const openAccount = async (): Promise<string> => {
    const spaceId = newId();
    await database.system('open an account', (tx) => accounts.open(tx, spaceId, 1_000));
    return spaceId;
  };
  const paid = (spaceId: string): Due => ({
    spaceId,
    id: newId(),
    tokens: 1,
    entry: { model: 'm', upstream: null, completionTokens: 1, cost: 0, estimated: false, outcome: 'completed' },
  });
  const isBlocking = async (pid: number): Promise<boolean> =>
    (
      await platform.database.query('select pid from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))', [
        pid,
      ])
    ).length > 0;
  const entries = (spaceId: string): Promise<{ id: string }[]> =>
    platform.database.query(`select id from relay.ledger where space_id = $1 and type = 'SETTLEMENT' order by seq`, [
      spaceId,
    ]);

  // A sum takes all entries up to a number. So none may get a smaller number than another one that is seen before it.
  it('is numbered after those that held the account before it', async () => {
    const spaceId = await openAccount();
    const [earlier, later] = [paid(spaceId), paid(spaceId)];
    let booking: Promise<unknown> = Promise.resolve();
    await database.system('hold an account', async (tx) => {
      const own = await tx.one<{ pid: number }>(
        'select pg_backend_pid() as pid from accounts where space_id = $1 for update',
        [spaceId],
      );
      booking = books.book(database, newId(), { settled: [later] });
      await until(() => isBlocking(own?.pid ?? 0));
      await tx.run(
        `insert into ledger (space_id, id, type, tokens, balance_after) values ($1, $2, 'SETTLEMENT', -1, 0)`,
        [spaceId, earlier.id],
      );
    });
    await booking;
    expect(await entries(spaceId)).toEqual([{ id: earlier.id }, { id: later.id }]);
  });
});

describe('what a key without limits has used', () => {
  beforeEach(avoidMidnight);

  it('is the same before its entries are summed up and after it, also where it gets an account', async () => {
    const space = await platform.newSpace();
    const now = new Date();
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    const before = new Date(month.getTime() - 86_400_000 * 3);
    await addEntries(platform, space.id, { from: before.toISOString(), to: now.toISOString() }, 3_000);
    const [expected] = await platform.database.query<{ daily: string; monthly: string }>(
      `select coalesce(sum(-tokens) filter (where created_at >= date_trunc('day', now(), 'UTC')), 0) as daily,
         sum(-tokens) as monthly from relay.ledger
       where space_id = $1 and key_id = 'key-2' and type = 'SETTLEMENT' and created_at >= $2`,
      [space.id, month.toISOString()],
    );
    const [dailyUsed, monthlyUsed] = [Number(expected?.daily), Number(expected?.monthly)];
    const counted = () => database.inSpace(space.id, (tx) => keys.count(tx, space.id, 'key-2'));
    expect(monthlyUsed).toBeGreaterThan(0);
    expect(await counted()).toEqual({ dailyUsed, monthlyUsed, reserved: 0 });
    await sumUp(space.id, 1_700);
    expect(await counted()).toEqual({ dailyUsed, monthlyUsed, reserved: 0 });
    await sumUpAll(space.id);
    expect(await counted()).toEqual({ dailyUsed, monthlyUsed, reserved: 0 });
    await database.system('open an account in a test', (tx) => keys.open(tx, space.id, 'key-2', null));
    expect(await keys.find(database, space.id, 'key-2')).toEqual({ dailyUsed, monthlyUsed, reserved: 0 });
  });
});

describe('the rounds of the relay', () => {
  const RANGE = { from: '2026-03-10T00:00:00Z', to: '2026-03-11T00:00:00Z' };
  const open = (spaceId: string) => database.system('open an account', (tx) => accounts.open(tx, spaceId, 0));
  const before = (id: string): string => id.replace(/.$/, (last) => (parseInt(last, 16) - 1).toString(16));
  /** Ends with a digit before which there is another one. */
  const spaceId = (): string => newId().replace(/.$/, '8');
  const found = async (id: string, isFirst = false): Promise<boolean | undefined> => {
    const [rows = []] = await database.systemRead('look in a test', [sums.spacesAfter(before(id), 1, isFirst)]);
    const [row] = rows as { id: string; isDue: boolean }[];
    return row?.id === id ? row.isDue : undefined;
  };

  it('sum up a Space once five hundred of its entries wait', async () => {
    const id = spaceId();
    await addEntries(platform, id, RANGE, 499);
    await open(id);
    expect(await found(id)).toBe(false);
    await addEntries(platform, id, RANGE, 1);
    await until(async () => (await sumsOf(id, 'day')).length > 0);
    expect(await found(id)).toBe(false);
  });

  it('pass over Spaces that have settled nothing since yesterday, but for the first', async () => {
    const id = spaceId();
    await open(id);
    const since = (days: number) =>
      platform.database.query(`update relay.accounts set day = day - $2::int where space_id = $1`, [id, days]);
    await since(1);
    expect(await found(id)).toBe(false);
    await since(1);
    expect([await found(id), await found(id, true)]).toEqual([undefined, false]);
  });
});
