import { type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { dataOf, manifestOf } from './an-application';

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

/** Nobody wants to wait here for as long as a change might still be going on. */
const age = (space: TestSpace): Promise<unknown> =>
  platform.database.query(
    `update event_bus.application_changes set started_at = started_at - interval '1 hour' where space_id = $1`,
    [space.id],
  );

/** The caller hears of it only when its time is up, for which nobody waits here either. */
async function dieDuring(
  failpoint: 'event-bus.install-keyed' | 'event-bus.upgrade-prepared',
  call: () => Promise<Reply>,
) {
  const { pid } = service;
  await service.arm(failpoint, 'kill');
  const answer = call();
  await until(() => service.pid !== pid);
  await service.ready();
  return { answer };
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
    const manifest = manifestOf({ subscriptions: [{ event: 'order.created', task: TASK }] });
    const { answer } = await dieDuring('event-bus.install-keyed', () =>
      space.owner.post('/applications', { manifest }),
    );
    expect([(await tasksOf(space)).length, await keysOf(space)]).toEqual([1, 1]);
    await age(space);
    await until(async () => (await tasksOf(space)).length === 0 && (await keysOf(space)) === 0, { timeoutMs: 40_000 });
    dataOf(await space.owner.post('/applications', { manifest }), 201);
    expect([(await tasksOf(space)).length, await keysOf(space)]).toEqual([1, 1]);
    expect((await answer).status).toBeGreaterThanOrEqual(500);
  });

  it('an upgrade leaves no task that nothing starts', async () => {
    const space = await platform.newSpace();
    const before = manifestOf({ subscriptions: [{ event: 'order.created', task: TASK }] });
    const { id } = dataOf(await space.owner.post('/applications', { manifest: before }), 201);
    const [kept] = await tasksOf(space);
    const more = { event: 'order.created', task: { ...TASK, name: 'Comes later' } };
    const after = { ...before, version: '1.1.0', subscriptions: [{ event: 'order.created', task: TASK }, more] };
    const { answer } = await dieDuring('event-bus.upgrade-prepared', () =>
      space.owner.put(`/applications/${id as string}`, { manifest: after }),
    );
    expect(await tasksOf(space)).toHaveLength(2);
    await age(space);
    await until(async () => (await tasksOf(space)).join() === kept, { timeoutMs: 40_000 });
    dataOf(await space.owner.put(`/applications/${id as string}`, { manifest: after }), 200);
    expect(await tasksOf(space)).toHaveLength(2);
    expect((await answer).status).toBeGreaterThanOrEqual(500);
  });
});
