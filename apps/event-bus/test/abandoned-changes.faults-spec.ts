import { type TestSpace, until, usePlatform } from '@switchyard/testing';
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

describe('a process that dies in the middle of', () => {
  afterEach(() => service.ready());

  it('an installation leaves nothing behind for good, and the next one succeeds', async () => {
    const space = await platform.newSpace();
    const manifest = manifestOf({ subscriptions: [{ event: 'order.created', task: TASK }] });
    await service.arm('event-bus.install-keyed', 'kill');
    const refused = await space.owner.post('/applications', { manifest });
    expect(refused.status).toBeGreaterThanOrEqual(500);
    await service.ready();
    expect([(await tasksOf(space)).length, await keysOf(space)]).toEqual([1, 1]);
    await age(space);
    await until(async () => (await tasksOf(space)).length === 0 && (await keysOf(space)) === 0, { timeoutMs: 40_000 });
    dataOf(await space.owner.post('/applications', { manifest }), 201);
    expect([(await tasksOf(space)).length, await keysOf(space)]).toEqual([1, 1]);
  });

  it('an upgrade leaves no task that nothing starts', async () => {
    const space = await platform.newSpace();
    const before = manifestOf({ subscriptions: [{ event: 'order.created', task: TASK }] });
    const { id } = dataOf(await space.owner.post('/applications', { manifest: before }), 201);
    const [kept] = await tasksOf(space);
    const more = { event: 'order.created', task: { ...TASK, name: 'Comes later' } };
    const after = { ...before, version: '1.1.0', subscriptions: [{ event: 'order.created', task: TASK }, more] };
    await service.arm('event-bus.upgrade-prepared', 'kill');
    const refused = await space.owner.put(`/applications/${id as string}`, { manifest: after });
    expect(refused.status).toBeGreaterThanOrEqual(500);
    await service.ready();
    expect(await tasksOf(space)).toHaveLength(2);
    await age(space);
    await until(async () => (await tasksOf(space)).join() === kept, { timeoutMs: 40_000 });
    dataOf(await space.owner.put(`/applications/${id as string}`, { manifest: after }), 200);
    expect(await tasksOf(space)).toHaveLength(2);
  });
});
