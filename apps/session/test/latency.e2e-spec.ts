import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { LatencyRepository } from '../src/db/latency.repository';
import { chat, makeAgent } from './talking';

// Turns of the past are written into the database: a test cannot wait for an hour.
const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const sums = new LatencyRepository();
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Old enough that only sums show them. */
const hourAgo = (hours: number): number => Math.floor(Date.now() / HOUR_MS) * HOUR_MS - hours * HOUR_MS;

let space: TestSpace;
let agentId: string;
let database: Database;

beforeAll(async () => {
  space = await platform.newSpace();
  agentId = await makeAgent(space.owner);
  database = new Database({
    service: 'session',
    url: platform.state.databaseLogins['session'] ?? '',
    poolSize: 4,
    log,
  });
  await database.connect();
});
afterAll(() => database.close());

interface PastTurn {
  id: string;
  agentId: string;
  status: string;
  at: string;
  ms: number | null;
  askedMs: number;
}

const turn = (at: number, ms: number | null, status = 'COMPLETED', of = agentId): PastTurn => ({
  id: newId(),
  agentId: of,
  status,
  at: new Date(at).toISOString(),
  ms,
  askedMs: 0,
});

/** In one statement: no sum sees some of them. Of the time of each, so much passed while a person was asked. */
const write = async (turns: readonly PastTurn[], into: Pick<TestSpace, 'id' | 'owner'> = space): Promise<void> => {
  await platform.database.query(
    `with given as (
       select * from json_to_recordset($3::json) as t (id uuid, agent_id uuid, status text, at timestamptz, ms float8, asked_ms float8)),
     written as (
       insert into session.turns (space_id, id, turn_id, user_id, agent_id, status, fingerprint, model, context_window, identity, input, owner, lease_until, started_at, finished_at)
       select $1::uuid, id, id, $2::uuid, agent_id, status, 'f', 'sim-chat', 8192, '{}', '{}', 'nobody', now() + interval '1 hour', at, at + ms * interval '1 ms'
         from given)
     insert into session.interactions (space_id, id, turn_key, turn_id, session_id, agent_id, user_id, form, status, created_at, answered_at, expires_at)
     select $1::uuid, gen_random_uuid(), id, id, id, agent_id, $2::uuid, '{}', 'ANSWERED', at, at + asked_ms * interval '1 ms', now()
       from given where asked_ms > 0`,
    [
      into.id,
      into.owner.identity.userId,
      JSON.stringify(
        turns.map(({ agentId: agent_id, askedMs: asked_ms, ...rest }) => ({ ...rest, agent_id, asked_ms })),
      ),
    ],
  );
};

const latency = async (of = agentId, query = '', as: Client = space.owner) => {
  const { status, body } = await as.get(`/agents/${of}/latency${query}`);
  expect({ status, code: body.code }).toEqual({ status: 200, code: undefined });
  return body.data;
};
const counted = (count: number, of = agentId, as?: Client) =>
  until(async () => {
    const found = await latency(of, '', as);
    return found.total.count >= count ? found : undefined;
  });
const isNear = (shown: number, exact: number): boolean => Math.abs(shown - exact) <= exact * 0.05;

const sumUp = (spaceId: string, limit = 1000): Promise<boolean> =>
  database.system('sum up in a test', async (tx) => {
    if (!(await sums.lock(tx, spaceId))) return false;
    return sums.sumUp(tx, spaceId, limit);
  });

describe('GET /agents/{agentId}/latency', () => {
  it('shows how long the turns of an agent took, by hour and by day', async () => {
    const [earlier, later] = [hourAgo(5), hourAgo(4)];
    const other = await makeAgent(space.owner);
    await write([
      ...Array.from({ length: 95 }, (_, n) => turn(earlier + n, (n + 1) * 1000)),
      ...Array.from({ length: 5 }, (_, n) => turn(earlier + n, (n + 96) * 1000, 'FAILED')),
      turn(earlier, 9_000_000, 'CANCELLED'),
      turn(earlier, 8_000_000, 'COMPLETED', other),
      { ...turn(later + 1000, 1_010_000), askedMs: 1_000_000 },
    ]);
    const shown = await counted(101);
    expect(shown.overTime).toEqual([
      {
        at: new Date(earlier).toISOString(),
        count: 100,
        failed: 5,
        p50Ms: expect.any(Number),
        p95Ms: expect.any(Number),
        longestMs: 100_000,
      },
      {
        at: new Date(later).toISOString(),
        count: 1,
        failed: 0,
        p50Ms: expect.any(Number),
        p95Ms: expect.any(Number),
        longestMs: 10_000,
      },
    ]);
    expect(isNear(shown.overTime[0].p50Ms, 50_000)).toBe(true);
    expect(isNear(shown.overTime[0].p95Ms, 95_000)).toBe(true);
    expect(shown.total).toMatchObject({ count: 101, failed: 5, longestMs: 100_000 });
    const byDay = await latency(agentId, '?interval=day');
    expect(byDay.interval).toBe('day');
    expect(byDay.overTime.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(101);
    const hour = await latency(agentId, `?from=${new Date(later).toISOString()}`);
    expect(hour.total.count).toBe(1);
    expect((await latency(other)).total).toMatchObject({ count: 1, longestMs: 8_000_000 });
  });

  it('counts a turn as soon as it has ended', async () => {
    const answering = await makeAgent(space.owner);
    expect((await latency(answering)).total).toEqual({
      count: 0,
      failed: 0,
      p50Ms: null,
      p95Ms: null,
      longestMs: null,
    });
    await chat(space.owner, answering, 'hello');
    const { total, overTime } = await latency(answering);
    expect(total).toMatchObject({ count: 1, failed: 0 });
    expect(total.longestMs).toBeGreaterThan(0);
    expect(overTime).toHaveLength(1);
  });

  it('shows it to all who read the agent, and nothing to another Space', async () => {
    expect((await latency(agentId, '', await space.member('VIEWER'))).total.count).toBe(101);
    const other = await platform.newSpace();
    expect(await other.owner.get(`/agents/${agentId}/latency`)).toMatchObject({ status: 404 });
    // Turns with the same agent, in the other Space.
    await write([turn(hourAgo(4), 5_000_000)], other);
    await until(async () => {
      const found = await platform.database.query('select 1 from session.agent_latency where space_id = $1', [
        other.id,
      ]);
      return found.length > 0 || undefined;
    });
    expect((await latency()).total).toMatchObject({ count: 101, longestMs: 100_000 });
  });

  it('refuses times that make no sense, and an agent that there is not', async () => {
    const at = (query: string) => space.owner.get(`/agents/${agentId}/latency?${query}`);
    const [now, longAgo] = [new Date().toISOString(), '2020-01-01T00:00:00Z'];
    for (const query of [`from=${now}&to=${longAgo}`, `from=${longAgo}`, 'interval=week', 'from=yesterday'])
      expect(await at(query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(await space.owner.get(`/agents/${newId()}/latency`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });
});

describe('the sums of how long turns take', () => {
  it('count each turn once, summed by several processes, repeatedly, and in small parts', async () => {
    const own = await platform.newSpace();
    const of = await makeAgent(own.owner);
    // Of the same microsecond, and more than are taken at once.
    const [same, after] = [hourAgo(6), hourAgo(3)];
    await write(
      [
        ...Array.from({ length: 40 }, () => turn(same, 2000, 'COMPLETED', of)),
        ...Array.from({ length: 60 }, (_, n) => turn(after + n * 1000, 4000, n % 2 ? 'FAILED' : 'COMPLETED', of)),
      ],
      own,
    );
    // The service sums them up as well.
    for (let more = true; more;) more = (await Promise.all([1, 2, 3].map(() => sumUp(own.id, 10)))).some(Boolean);
    const shown = await counted(100, of, own.owner);
    expect(shown.overTime.map(({ count, failed }: { count: number; failed: number }) => [count, failed])).toEqual([
      [40, 0],
      [60, 30],
    ]);
    await sumUp(own.id);
    expect(await latency(of, `?to=${shown.to}`, own.owner)).toEqual(shown);
  });

  it('count nothing of a sum that came to nothing', async () => {
    const own = await platform.newSpace();
    const of = await makeAgent(own.owner);
    await write([turn(hourAgo(3), 2000, 'COMPLETED', of)], own);
    const failing = database.system('fail in a test', async (tx) => {
      await sums.sumUp(tx, own.id, 1000);
      throw new Error('no commit');
    });
    await expect(failing).rejects.toThrow('no commit');
    expect((await counted(1, of, own.owner)).total.count).toBe(1);
  });

  it('count a turn that was under way once it has ended', async () => {
    const own = await platform.newSpace();
    const of = await makeAgent(own.owner);
    const late = turn(hourAgo(3), null, 'RUNNING', of);
    await write([late], own);
    const lateTurns = () => platform.database.query('select id from session.late_turns where space_id = $1', [own.id]);
    await until(async () => (await lateTurns()).length === 1 || undefined);
    expect((await latency(of, '', own.owner)).total.count).toBe(0);
    await platform.database.query(
      `update session.turns set status = 'COMPLETED', finished_at = started_at + interval '3 hours' where space_id = $1 and id = $2`,
      [own.id, late.id],
    );
    expect((await latency(of, '', own.owner)).total).toMatchObject({ count: 1, longestMs: 3 * HOUR_MS });
    await until(async () => (await lateTurns()).length === 0 || undefined);
    expect((await latency(of, '', own.owner)).total).toMatchObject({ count: 1, longestMs: 3 * HOUR_MS });
  });

  describe('of a Space', () => {
    const spaceOf = (): Pick<TestSpace, 'id' | 'owner'> => ({ ...space, id: newId().replace(/.$/, '8') });
    const isDue = async (spaceId: string): Promise<unknown> => {
      const before = spaceId.replace(/.$/, '7');
      const [[found] = []] = await database.systemRead('look in a test', [sums.spacesAfter(before, 1)]);
      expect(found).toMatchObject({ id: spaceId });
      return found?.['isDue'];
    };
    const untilIn = (table: string, spaceId: string) =>
      until(
        async () =>
          (await platform.database.query(`select 1 from session.${table} where space_id = $1`, [spaceId])).length > 0,
      );

    it('are made when its turns have waited for a quarter of an hour, or are a thousand', async () => {
      const [own, of] = [spaceOf(), newId()];
      const turns = (count: number, minutesAgo: number) =>
        Array.from({ length: count }, () => turn(Date.now() - minutesAgo * MINUTE_MS, 2000, 'COMPLETED', of));
      await write(turns(999, 10), own);
      expect(await isDue(own.id)).toBe(false);
      await write(turns(1, 10), own);
      await untilIn('agent_latency', own.id);
      const another = spaceOf();
      await write(turns(1, 16), another);
      await untilIn('agent_latency', another.id);
    });

    it('are not made again while a turn waits for somebody, but when it has ended', async () => {
      const own = spaceOf();
      const waiting = turn(hourAgo(3), null, 'WAITING_INPUT', newId());
      await write([waiting], own);
      await untilIn('late_turns', own.id);
      expect(await isDue(own.id)).toBe(false);
      await platform.database.query(
        `update session.turns set status = 'COMPLETED', finished_at = now() where space_id = $1 and id = $2`,
        [own.id, waiting.id],
      );
      await untilIn('agent_latency', own.id);
    });
  });

  it('stay as they are when the turns are deleted', async () => {
    const before = (await latency()).total;
    await platform.database.query(`delete from session.turns where space_id = $1 and agent_id = $2`, [
      space.id,
      agentId,
    ]);
    await sumUp(space.id);
    expect((await latency()).total).toEqual(before);
  });

  it('are forgotten when their time is over', async () => {
    const old = newId();
    const rows = () => platform.database.query('select 1 from session.agent_latency where agent_id = $1', [old]);
    await platform.database.query(
      `insert into session.agent_latency (space_id, agent_id, hour, count, failed, longest_ms, durations)
       values ($1, $2, now() - interval '401 days', 1, 0, 1, '{"0": 1}'), ($1, $2, now() - interval '399 days', 1, 0, 1, '{"0": 1}')`,
      [space.id, old],
    );
    await until(async () => (await rows()).length === 1 || undefined);
  });
});
