import { type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { dataOf, emission, eventTask, install, manifestOf } from './an-application';

const platform = usePlatform();
const service = platform.service('event-bus');

const TASK = { name: 'Comes along', steps: [{ id: 'note', type: 'transform', with: {} }] };

const tasksOf = async (space: TestSpace): Promise<string[]> =>
  ((await space.owner.get('/tasks')).body.data as { id: string }[]).map(({ id }) => id);

const keysOf = async (space: TestSpace): Promise<number> => {
  const [row] = await platform.database.query<{ n: number }>(
    'select count(*)::int as n from key.api_keys where space_id = $1 and application_id is not null and revoked_at is null',
    [space.id],
  );
  return row?.n ?? -1;
};

const watchesOf = (space: TestSpace): Promise<{ operations: string[] }[]> =>
  platform.database.query('select operations from dataset.dataset_watches where space_id = $1', [space.id]);

/** Shortens the time after which a change counts as abandoned. */
const age = (space: TestSpace): Promise<unknown> =>
  platform.database.query(
    `update event_bus.application_changes set started_at = started_at - interval '1 hour' where space_id = $1`,
    [space.id],
  );

/** Its definition makes an application watch it. */
async function dataset(space: TestSpace): Promise<string> {
  const schema = { fields: [{ name: 'name', type: 'string' }] };
  return dataOf(await space.owner.post('/datasets', { name: `Rows ${Math.random()}`, schema }), 201).id as string;
}

const emitting = (datasetId: string, operations = ['insert']) => [
  { name: 'order.created', schema: {}, emitOn: { dataset: datasetId, operations } },
];

/** Callers hear of it only when their time is up: that is looked at when all else is done. */
const answers: Promise<Reply>[] = [];

async function dieDuring(
  failpoint:
    | 'event-bus.install-keyed'
    | 'event-bus.upgrade-prepared'
    | 'event-bus.upgrade-committed'
    | 'event-bus.uninstall-revoked'
    | 'event-bus.uninstall-committed'
    | 'event-bus.key-rotated',
  call: () => Promise<Reply>,
): Promise<void> {
  const { pid } = service;
  await service.arm(failpoint, 'kill');
  answers.push(call());
  await until(() => service.pid !== pid);
  await service.ready();
}

/** The note of a change that was cut off goes a moment after what it names. */
const passed = (reply: Reply): Reply | null => (reply.status === 409 ? null : reply);

/** Connections of the service that hold a transaction open and wait for something else than the database. */
const waitingInTransactions = async (): Promise<number> => {
  const [row] = await platform.database.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where application_name like 'switchyard-event-bus/%' and state like 'idle in transaction%'
        and state_change < clock_timestamp() - interval '3 seconds'`,
  );
  return row?.n ?? -1;
};

/** Results of `look`, polled until the work is done. */
async function whileRunning(work: Promise<unknown>, look: () => Promise<number>): Promise<number[]> {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  const seen = [await look()];
  await until(async () => {
    seen.push(await look());
    return isDone;
  });
  return seen;
}

describe('a default task that a user edits during the uninstall', () => {
  it('stays with its subscription', async () => {
    const space = await platform.newSpace();
    const manifest = manifestOf({ subscriptions: [{ event: 'order.created', task: TASK }] });
    const { id } = dataOf(await space.owner.post('/applications', { manifest }), 201);
    const [taskId = ''] = await tasksOf(space);
    await service.arm('event-bus.uninstall-planned', 'delay', { delayMs: 4_000 });
    const uninstalled = space.owner.delete(`/applications/${id as string}`);
    await until(async () => (await service.armed()).length === 0);
    dataOf(await space.owner.put(`/tasks/${taskId}`, { name: 'Mine now' }), 200);
    dataOf(await uninstalled, 200);
    const subscriptions = dataOf(await space.owner.get('/events/subscriptions'), 200);
    expect(subscriptions).toMatchObject([{ taskId, origin: 'USER' }]);
    expect(await tasksOf(space)).toEqual([taskId]);
  });
});

describe('a process that dies in the middle of', () => {
  afterEach(() => service.ready());

  it('an installation leaves nothing behind for good, and the next one succeeds', async () => {
    const space = await platform.newSpace();
    const events = emitting(await dataset(space));
    const manifest = manifestOf({ events, subscriptions: [{ event: 'order.created', task: TASK }] });
    await dieDuring('event-bus.install-keyed', () => space.owner.post('/applications', { manifest }));
    const remaining = async (): Promise<number[]> => [
      (await tasksOf(space)).length,
      (await watchesOf(space)).length,
      await keysOf(space),
    ];
    expect(await remaining()).toEqual([1, 1, 1]);
    await age(space);
    await until(async () => (await remaining()).every((count) => count === 0), { timeoutMs: 40_000 });
    dataOf(await space.owner.post('/applications', { manifest }), 201);
    expect(await remaining()).toEqual([1, 1, 1]);
  });

  it('an installation that was committed is complete, also if its caller got an error', async () => {
    const space = await platform.newSpace();
    const manifest = manifestOf({ events: emitting(await dataset(space)) });
    // As when the connection breaks while the database commits: the process knows of a failure only.
    await service.arm('event-bus.install-committed', 'throw');
    expect((await space.owner.post('/applications', { manifest })).status).toBe(500);
    // Settled before the caller hears of it.
    expect([(await watchesOf(space)).length, await keysOf(space)]).toEqual([1, 1]);
    const [installed] = (await space.owner.get('/applications?platform=false')).body.data as { id: string }[];
    dataOf(await space.owner.put(`/applications/${installed?.id ?? ''}`, { manifest }), 200);
  });

  it('an upgrade leaves no task that nothing starts, and the dataset tells what it told before', async () => {
    const space = await platform.newSpace();
    const rows = await dataset(space);
    const subscriptions = [{ event: 'order.created', task: TASK }];
    const before = manifestOf({ events: emitting(rows, ['insert', 'update']), subscriptions });
    const { id } = dataOf(await space.owner.post('/applications', { manifest: before }), 201);
    const [task] = await tasksOf(space);
    const more = { event: 'order.created', task: { ...TASK, name: 'Comes later' } };
    const after = { ...before, version: '1.1.0', events: emitting(rows), subscriptions: [...subscriptions, more] };
    await dieDuring('event-bus.upgrade-prepared', () =>
      space.owner.put(`/applications/${id as string}`, { manifest: after }),
    );
    expect(await tasksOf(space)).toHaveLength(2);
    await age(space);
    await until(async () => (await tasksOf(space)).join() === task, { timeoutMs: 40_000 });
    await until(async () => (await watchesOf(space))[0]?.operations.length === 2, { timeoutMs: 40_000 });
    dataOf(await space.owner.put(`/applications/${id as string}`, { manifest: after }), 200);
    expect(await tasksOf(space)).toHaveLength(2);
  });

  it('an uninstall is completed', async () => {
    const space = await platform.newSpace();
    const subscriptions = [{ event: 'order.created', task: TASK }];
    const installed = await install(space, { subscriptions });
    await dieDuring('event-bus.uninstall-revoked', () => space.owner.delete(`/applications/${installed.id}`));
    expect((await space.owner.get(`/applications/${installed.id}`)).status).toBe(200);
    await age(space);
    await until(async () => (await space.owner.get(`/applications/${installed.id}`)).status === 404, {
      timeoutMs: 40_000,
    });
    expect(dataOf(await space.owner.get('/events/registered?platform=false'), 200)).toEqual([]);
    await until(async () => (await tasksOf(space)).length === 0);
    expect(await keysOf(space)).toBe(0);
    const recorded = (await space.owner.get(`/spaces/${space.id}/security-events?limit=100`)).body.data as {
      action: string;
      target: string;
      actorUserId: string | null;
    }[];
    expect(recorded.filter(({ action }) => action === 'application.uninstalled')).toMatchObject([
      { target: installed.id, actorUserId: expect.any(String) as string },
    ]);
    const again = await install(space, { identifier: installed.identifier, subscriptions });
    expect((await again.app.post('/events/emit', emission(again))).status).toBe(202);
  });

  it('an upgrade or an uninstall leaves no watch on a dataset once it is committed', async () => {
    const space = await platform.newSpace();
    const manifest = manifestOf({ events: emitting(await dataset(space)) });
    const { id } = dataOf(await space.owner.post('/applications', { manifest }), 201);
    const path = `/applications/${id as string}`;
    const bare = { manifest: { ...manifest, version: '1.1.0', events: [{ name: 'order.created', schema: {} }] } };
    const unwatched = async (): Promise<void> => {
      expect(await watchesOf(space)).toHaveLength(1);
      await age(space);
      await until(async () => (await watchesOf(space)).length === 0, { timeoutMs: 40_000 });
    };
    await dieDuring('event-bus.upgrade-committed', () => space.owner.put(path, bare));
    expect(dataOf(await space.owner.get(path), 200)).toMatchObject({ version: '1.1.0' });
    await unwatched();
    // Its note went with the watch: the next change runs.
    dataOf(await until(async () => passed(await space.owner.put(path, { manifest }))), 200);
    await dieDuring('event-bus.uninstall-committed', () => space.owner.delete(path));
    expect((await space.owner.get(path)).status).toBe(404);
    await unwatched();
    dataOf(await until(async () => passed(await space.owner.post('/applications', { manifest }))), 201);
    expect(await watchesOf(space)).toHaveLength(1);
  });

  it('a rotation leaves one key, which is rotated again', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    await dieDuring('event-bus.key-rotated', () => space.owner.post(`/applications/${installed.id}/rotate-key`, {}));
    await age(space);
    const rotated = await until(async () => {
      const reply = await space.owner.post(`/applications/${installed.id}/rotate-key`, {});
      return reply.status === 409 ? null : dataOf(reply, 200);
    });
    const fresh = space.owner.as(`Bearer ${rotated.systemApiKey as string}`);
    expect((await fresh.post('/events/emit', emission(installed))).status).toBe(202);
    expect((await installed.app.post('/events/emit', emission(installed))).status).toBe(401);
    expect(await keysOf(space)).toBe(1);
  });
});

describe('a change of an application that takes long', () => {
  const upgradeOf = (identifier: string, version: string): Record<string, unknown> => ({
    manifest: manifestOf({ identifier, version, subscriptions: [{ event: 'order.created', task: TASK }] }),
  });

  it('holds no transaction open, and others of that application wait, then answer 409', async () => {
    const space = await platform.newSpace();
    const { id, identifier, app, body } = await install(space);
    await service.arm('event-bus.upgrade-prepared', 'delay', { delayMs: 9_000 });
    const slow = space.owner.put(`/applications/${id}`, upgradeOf(identifier, '2.0.0'));
    await until(async () => (await service.armed()).length === 0);
    const others = Promise.all([
      space.owner.put(`/applications/${id}`, upgradeOf(identifier, '3.0.0')),
      space.owner.delete(`/applications/${id}`),
      space.owner.post(`/applications/${id}/rotate-key`, {}),
    ]);
    const seen = whileRunning(slow, waitingInTransactions);
    // Subscriptions to its events are free meanwhile.
    const events = dataOf(await space.owner.get('/events/registered?platform=false'), 200) as unknown as {
      id: string;
    }[];
    const taskId = await eventTask(space);
    dataOf(await space.owner.post('/events/subscriptions', { eventId: events[0]?.id, taskId }), 201);
    expect((await app.post('/events/emit', emission({ id, identifier, app, body }))).status).toBe(202);
    for (const refused of await others)
      expect([refused.status, refused.body]).toMatchObject([409, { code: 'REQUEST_IN_PROGRESS' }]);
    expect(dataOf(await slow, 200)).toMatchObject({ version: '2.0.0' });
    expect(Math.max(...(await seen))).toBe(0);
    const later = await space.owner.put(`/applications/${id}`, upgradeOf(identifier, '3.0.0'));
    expect(dataOf(later, 200)).toMatchObject({ version: '3.0.0' });
    expect(await keysOf(space)).toBe(1);
  });

  it('lets the next one through when it is done', async () => {
    const space = await platform.newSpace();
    const { id, identifier } = await install(space);
    const upgrades = ['2.0.0', '3.0.0', '4.0.0'].map((version) =>
      space.owner.put(`/applications/${id}`, upgradeOf(identifier, version)),
    );
    expect((await Promise.all(upgrades)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await tasksOf(space)).toHaveLength(1);
    expect(await keysOf(space)).toBe(1);
  });

  it('is planned anew when a user has changed its subscriptions meanwhile', async () => {
    const space = await platform.newSpace();
    const subscriptions = [{ event: 'order.created', task: TASK }];
    const { id, identifier } = await install(space, { subscriptions });
    const [subscription] = dataOf(await space.owner.get('/events/subscriptions'), 200) as unknown as { id: string }[];
    await service.arm('event-bus.upgrade-prepared', 'delay', { delayMs: 2_000 });
    const upgrade = space.owner.put(`/applications/${id}`, {
      manifest: manifestOf({ identifier, version: '2.0.0', subscriptions: [] }),
    });
    await until(async () => (await service.armed()).length === 0);
    dataOf(await space.owner.patch(`/events/subscriptions/${subscription?.id ?? ''}`, { active: false }), 200);
    dataOf(await upgrade, 200);
    // The user's from then on: it stays.
    expect(dataOf(await space.owner.get('/events/subscriptions'), 200)).toMatchObject([
      { id: subscription?.id, origin: 'USER', active: false },
    ]);
  });
});

describe('changes that cannot be settled while the dataset service is away', () => {
  afterEach(async () => {
    await platform.service('dataset').start();
    await platform.service('dataset').ready();
  });

  it('are all tried in one round, and settled when it is back', async () => {
    const space = await platform.newSpace();
    await platform.service('dataset').stop();
    // As uninstalls leave them whose watches could not be removed. One a look would take longer than is waited for.
    await platform.database.query(
      `insert into event_bus.application_changes (space_id, id, application_id, kind, started_at, watches)
       select $1, gen_random_uuid(), gen_random_uuid(), 'uninstall', now() - interval '1 hour',
              jsonb_build_array(jsonb_build_object('watcherId', gen_random_uuid(), 'datasetId', gen_random_uuid()))
         from generate_series(1, 8)`,
      [space.id],
    );
    const remaining = (attempts: number) =>
      platform.database.query('select 1 from event_bus.application_changes where space_id = $1 and attempt <= $2', [
        space.id,
        attempts,
      ]);
    await until(async () => (await remaining(0)).length === 0, { timeoutMs: 40_000 });
    await platform.service('dataset').start();
    // How long they pause after tries in vain depends on how long the service was away, and is not what is proved here.
    const makeDue = `update event_bus.application_changes set started_at = 'epoch'
      where space_id = $1 and started_at < clock_timestamp() - interval '2 seconds'`;
    await until(
      async () => {
        await platform.database.query(makeDue, [space.id]);
        return (await remaining(1_000)).length === 0;
      },
      { timeoutMs: 120_000 },
    );
  });
});

describe('callers whose change was cut off', () => {
  it('hear of it', async () => {
    for (const { status } of await Promise.all(answers)) expect(status).toBeGreaterThanOrEqual(500);
  });
});
