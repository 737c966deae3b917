import { type Answer, type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { ActivityScene } from './support/activity-scene';

const platform = usePlatform();
let space: TestSpace;
let scene: ActivityScene;
let member: Client;
let rows: Answer[];

const listed = async (client: Client, query = ''): Promise<Answer[]> => {
  const { status, body } = await client.get(`/activity${query}`);
  expect(status).toBe(200);
  return body.data as Answer[];
};
const keys = (found: Answer[]): string[] => found.map(({ kind, id }: Answer) => `${kind as string}/${id as string}`);
const countsOf = async (client: Client, query = ''): Promise<Record<string, number>> => {
  const { status, body } = await client.get(`/activity/counts${query}`);
  expect(status).toBe(200);
  return Object.fromEntries(
    body.data.map(({ kind, status: state, count }: Answer) => [`${kind as string} ${state as string}`, count]),
  );
};
const tally = (found: Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind, status } of found) {
    const key = `${kind as string} ${status as string}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

beforeAll(async () => {
  space = await platform.newSpace();
  scene = await ActivityScene.prepare(space);
  member = await space.member('MEMBER');
  await scene.turn(space.owner);
  await scene.execution();
  await scene.job(space.owner);
  await scene.emission();
  await scene.turn(member);
  rows = await listed(space.owner);
});

describe('the activity of a Space', () => {
  it('is one list of turns, executions, jobs and emissions, newest first, with what each has cost', async () => {
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['turn', 'execution', 'job', 'emission']));
    const times = rows.map(({ createdAt }) => createdAt as string);
    expect(times).toEqual([...times].sort().reverse());
    const one = (kind: string): Answer => rows.filter((row) => row.kind === kind).at(-1);
    expect(one('turn')).toEqual({
      kind: 'turn',
      id: expect.any(String),
      name: expect.any(String),
      status: 'COMPLETED',
      agentId: scene.agentId,
      taskId: null,
      sessionId: expect.any(String),
      userId: space.owner.identity.userId,
      causationId: null,
      correlationId: null,
      createdAt: expect.any(String),
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      tokens: expect.any(Number),
      cost: expect.any(Number),
    });
    expect(one('execution')).toMatchObject({
      name: 'With an agent',
      status: 'SUCCEEDED',
      taskId: scene.taskId,
      userId: space.owner.identity.userId,
    });
    expect(one('job')).toMatchObject({ name: 'Helper', status: 'SUCCEEDED', agentId: scene.agentId });
    expect(one('emission')).toMatchObject({ name: 'happened', tokens: null, cost: null, userId: null });
    const { data: ledger } = (await space.owner.get('/usage/ledger?limit=100')).body;
    const charged = ledger.reduce(
      (sum: number, { type, tokens }: Answer) => sum - (type === 'SETTLEMENT' ? tokens : 0),
      0,
    );
    // Turns of tasks and jobs are turns as well: their tokens show in both rows.
    const ofTurns = rows
      .filter(({ kind }) => kind === 'turn')
      .reduce((sum: number, { tokens }) => sum + Number(tokens), 0);
    expect(ofTurns).toBe(charged);
    for (const kind of ['execution', 'job']) expect(one(kind).tokens).toBeGreaterThan(0);
  });

  it('is filtered by kinds, states, user and time', async () => {
    const only = (test: (row: Answer) => boolean): string[] => keys(rows.filter(test));
    expect(keys(await listed(space.owner, '?kind=job'))).toEqual(only(({ kind }) => kind === 'job'));
    expect(keys(await listed(space.owner, '?kind=job&kind=emission'))).toEqual(
      only(({ kind }) => kind === 'job' || kind === 'emission'),
    );
    expect(keys(await listed(space.owner, '?status=SUCCEEDED&status=PENDING'))).toEqual(
      only(({ status }) => status === 'SUCCEEDED' || status === 'PENDING'),
    );
    const { userId } = member.identity;
    expect(keys(await listed(space.owner, `?userId=${userId}`))).toEqual(only((row) => row.userId === userId));
    const { createdAt } = rows[2];
    expect(keys(await listed(space.owner, `?from=${createdAt}`))).toEqual(only((row) => row.createdAt >= createdAt));
    expect(keys(await listed(space.owner, `?to=${createdAt}`))).toEqual(only((row) => row.createdAt < createdAt));
    for (const query of [
      'kind=chat',
      'status=DONE',
      'kind=turn&status=OK',
      'userId=me',
      'from=now',
      'cursor=x',
      'limit=0',
      'q=1',
    ])
      expect((await space.owner.get(`/activity?${query}`)).status).toBe(400);
    expect((await space.owner.get('/activity?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z')).status).toBe(400);
  });

  it('shows turns and jobs to their maker and to ADMIN, and counts what it shows', async () => {
    const shared = ({ kind }: Answer): boolean => kind === 'execution' || kind === 'emission';
    const seen = async (client: Client, expected: Answer[]): Promise<void> => {
      expect(keys(await listed(client))).toEqual(keys(expected));
      expect(await countsOf(client)).toEqual(tally(expected));
    };
    await seen(await space.member('ADMIN'), rows);
    await seen(
      member,
      rows.filter((row) => shared(row) || row.userId === member.identity.userId),
    );
    await seen(await space.member('VIEWER'), rows.filter(shared));
    expect(await listed(member, `?kind=turn&userId=${space.owner.identity.userId}`)).toEqual([]);
    await seen((await platform.newSpace()).owner, []);
    for (const [scope, kind] of [
      ['sessions:read', 'turn'],
      ['tasks:read', 'execution'],
      ['jobs:read', 'job'],
      ['events:read', 'emission'],
      ['agents:read', 'nothing'],
    ])
      await seen(
        await space.key({ scopes: [scope as string] }),
        rows.filter((row) => row.kind === kind),
      );
    expect((await scene.application.get('/activity')).status).toBe(403);
  });

  it('counts whole hours of a range', async () => {
    const all = tally(rows);
    const [hourAgo, inAnHour] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const now = new Date().toISOString();
    expect(await countsOf(space.owner, `?from=${hourAgo}&to=${inAnHour}`)).toEqual(all);
    expect(await countsOf(space.owner, `?to=${hourAgo}`)).toEqual({});
    expect(await countsOf(space.owner, `?from=${inAnHour}`)).toEqual({});
    // The hour that has begun is counted whole, wherever `from` and `to` lie in it.
    expect(await countsOf(space.owner, `?from=${now}`)).toEqual(
      tally(rows.filter(({ createdAt }) => createdAt.slice(0, 13) >= now.slice(0, 13))),
    );
  });

  it('forgets turns with their session', async () => {
    const own = await platform.newSpace();
    const there = await ActivityScene.prepare(own);
    const { sessionId } = await there.turn(own.owner);
    expect(await countsOf(own.owner)).toEqual({ 'turn COMPLETED': 1 });
    await own.owner.delete(`/agents/sessions/${sessionId}`);
    expect(await listed(own.owner)).toEqual([]);
    expect(await countsOf(own.owner)).toEqual({});
  });
});

describe('a cursor of the activity', () => {
  it('leads through all kinds without loss or repeats, while others are recorded', async () => {
    const own = await platform.newSpace();
    const there = await ActivityScene.prepare(own);
    await Promise.all([
      ...Array.from({ length: 6 }, () => there.turn(own.owner)),
      ...Array.from({ length: 12 }, () => there.start()),
      ...Array.from({ length: 12 }, () => there.emission()),
      ...Array.from({ length: 4 }, () => there.job(own.owner)),
    ]);
    // Runs and jobs open turns of their own: those must be there before the list is read.
    await until(async () => {
      const rows = await listed(own.owner, '?limit=100');
      expect(rows.filter(({ status }) => ['QUEUED', 'RUNNING', 'PENDING'].includes(String(status)))).toEqual([]);
      return true;
    });
    // The hardest case: many rows of all kinds at one moment, which is not so old that it is forgotten.
    const moment = new Date(Date.now() - 7_200_000).toISOString().replace('Z', '700Z');
    await platform.database.query(`update task.executions set created_at = $2 where space_id = $1`, [own.id, moment]);
    await platform.database.query(`update event_bus.emissions set emitted_at = $2 where space_id = $1`, [
      own.id,
      moment,
    ]);
    const before = await listed(own.owner, '?limit=100');
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 100; pages += 1) {
      const { body }: Answer = await own.owner.get(`/activity?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...keys(body.data));
      if (pages % 4 === 0) await there.start();
      if (body.page.nextCursor === null) break;
      cursor = body.page.nextCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(keys(before));
    // Running work changes between the two requests.
    await until(async () => {
      expect(await countsOf(own.owner)).toEqual(tally(await listed(own.owner, '?limit=100')));
      return true;
    });
  });
});

describe('the stream of the activity', () => {
  afterEach(() => {
    for (const leave of followed.splice(0)) leave();
  });

  it('tells of changed rows as the list has them, twice a second and row at most, to those who may see them', async () => {
    const own = await platform.newSpace();
    const there = await ActivityScene.prepare(own);
    const other = await own.member('MEMBER');
    const [mine, theirs] = [await follow(own.owner), await follow(other)];
    const turn = await there.turn(own.owner);
    const run = await there.execution();
    await there.emission();
    await until(() => mine.rows.some(({ id, status }) => id === run && status === 'SUCCEEDED'));
    await until(() => mine.rows.some(({ kind, status }) => kind === 'emission' && status !== 'PENDING'));
    await until(() => mine.rows.some(({ id, status }) => id === turn.turnId && status === 'COMPLETED'));
    const last = mine.rows.filter(({ id }) => id === turn.turnId).at(-1);
    expect(last).toEqual((await listed(own.owner)).find(({ id }: Answer) => id === turn.turnId));
    await until(() => theirs.rows.some(({ id, status }) => id === run && status === 'SUCCEEDED'));
    expect(theirs.rows.filter(({ kind }) => kind === 'turn' || kind === 'job')).toEqual([]);
    const changes = mine.rows.filter(({ id }) => id === run).length;
    expect(changes).toBeLessThanOrEqual(3);
  });

  it('carries nothing of another Space, whether that one is watched or not', async () => {
    const [own, watched, unwatched] = await Promise.all([
      platform.newSpace(),
      platform.newSpace(),
      platform.newSpace(),
    ]);
    const there = await ActivityScene.prepare(own);
    const [mine, theirs] = [await follow(own.owner), await follow(watched.owner)];
    for (const other of [watched, unwatched]) {
      const scene = await ActivityScene.prepare(other);
      await scene.turn(other.owner);
      await scene.execution();
      await scene.emission();
    }
    // The last one arrives after all earlier ones.
    const run = await there.execution();
    await until(() => mine.rows.some(({ id, status }) => id === run && status === 'SUCCEEDED'));
    const ownIds = (await listed(own.owner, '?limit=100')).map(({ id }) => id);
    expect(mine.rows.filter(({ id }) => !ownIds.includes(id))).toEqual([]);
    expect(theirs.rows.filter(({ id }) => ownIds.includes(id))).toEqual([]);
    expect(theirs.rows.length).toBeGreaterThan(0);
  });

  it('ends with its credential, and when the rights of its reader change', async () => {
    const key = await space.key();
    const admin = await space.member('ADMIN');
    const [ofKey, ofAdmin] = [await follow(key), await follow(admin)];
    await space.owner.post(`/api-keys/${key.identity.keyId}/revoke`, {});
    await space.owner.patch(`/spaces/${space.id}/members/${admin.identity.userId}`, { role: 'MEMBER' });
    await Promise.all([ofKey.ended, ofAdmin.ended]);
    expect((await key.stream('/activity/stream')).status).toBe(401);
    const again = await follow(admin);
    again.leave();
    expect((await admin.stream('/activity/stream?kind=chat')).status).toBe(400);
  });

  it('takes one of the streams that a credential may have', async () => {
    const key = await space.key();
    const open = await Promise.all(Array.from({ length: 50 }, () => follow(key)));
    expect((await key.stream('/activity/stream')).status).toBe(429);
    for (const stream of open) stream.leave();
    await until(async () => {
      const stream = await follow(key);
      stream.leave();
      return true;
    });
  });
});

/** How each of a test is left, also when it fails. */
const followed: (() => void)[] = [];

async function follow(client: Client): Promise<{ rows: Answer[]; ended: Promise<void>; leave: () => void }> {
  const leaving = new AbortController();
  const stream = await client.stream('/activity/stream', undefined, { signal: leaving.signal });
  if (stream.status !== 200) throw new Error(`not opened: ${stream.status}`);
  const found: Answer[] = [];
  const read = async (): Promise<void> => {
    for await (const { event, data } of stream.frames) {
      expect(event).toBe('activity');
      found.push(data);
    }
  };
  const ended = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  const leave = (): void => leaving.abort();
  followed.push(leave);
  return { rows: found, ended, leave };
}
