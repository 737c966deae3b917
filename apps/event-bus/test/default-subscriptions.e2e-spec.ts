import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install, manifestOf } from './an-application';
import { executionsOf, settledEnvelope, subscribe } from './watching';

const platform = usePlatform();

const emit = async (installed: InstalledApplication, changes: Record<string, unknown> = {}): Promise<string> =>
  dataOf(await installed.app.post('/events/emit', emission(installed, changes)), 202).envelopeId as string;

describe('default subscriptions and tasks', () => {
  const withDefault = (changes: Record<string, unknown> = {}) =>
    manifestOf({
      subscriptions: [
        {
          event: 'order.created',
          task: { name: 'Pack', steps: [{ id: 'x', type: 'transform', with: { a: 1 } }] },
          filter: { kind: 'web' },
        },
      ],
      ...changes,
    });
  const subscriptionsOf = async (space: TestSpace): Promise<Record<string, string>[]> =>
    dataOf(await space.owner.get('/events/subscriptions'), 200) as Record<string, string>[];

  it('come with the application, follow it and go with it', async () => {
    const space = await platform.newSpace();
    const installed = await install(space, withDefault());
    const [subscription] = await subscriptionsOf(space);
    expect(subscription).toMatchObject({
      origin: 'DEFAULT',
      filter: { kind: 'web' },
      active: true,
      event: 'order.created',
    });
    const taskId = subscription?.taskId ?? '';
    expect(dataOf(await space.owner.get(`/tasks/${taskId}`), 200)).toMatchObject({
      name: 'Pack',
      type: 'EVENT',
      active: true,
    });
    const envelopeId = await emit(installed, { payload: { order: '1', kind: 'web' } });
    expect(await settledEnvelope(space, envelopeId, 1)).toMatchObject({ matchedSubscriptions: 1 });
    const upgraded = withDefault({ identifier: installed.identifier, version: '1.1.0' });
    (upgraded.subscriptions as Record<string, unknown>[])[0] = {
      ...(upgraded.subscriptions as Record<string, unknown>[])[0],
      filter: { kind: 'shop' },
    };
    dataOf(await space.owner.put(`/applications/${installed.id}`, { manifest: upgraded }), 200);
    expect(await subscriptionsOf(space)).toMatchObject([{ id: subscription?.id, taskId, filter: { kind: 'shop' } }]);
    dataOf(await space.owner.delete(`/applications/${installed.id}`), 200);
    expect(await subscriptionsOf(space)).toEqual([]);
    expect((await space.owner.get(`/tasks/${taskId}`)).status).toBe(404);
  });

  it('are left as they are by an upgrade that fails, also a task that only people start', async () => {
    const space = await platform.newSpace();
    const installed = await install(space, withDefault());
    const [subscription] = await subscriptionsOf(space);
    const { id = '', taskId = '' } = subscription ?? {};
    dataOf(await space.owner.delete(`/events/subscriptions/${id}`), 200);
    const unknown = { event: 'order.created', taskId: '01900000-0000-7000-8000-000000000000' };
    const manifest = withDefault({ identifier: installed.identifier, version: '1.1.0', subscriptions: [unknown] });
    expect((await space.owner.put(`/applications/${installed.id}`, { manifest })).status).toBe(404);
    expect((await space.owner.get(`/tasks/${taskId}`)).status).toBe(200);
  });

  it("become the user's when the user changes them", async () => {
    const space = await platform.newSpace();
    const installed = await install(space, withDefault());
    const [subscription] = await subscriptionsOf(space);
    const changed = dataOf(
      await space.owner.patch(`/events/subscriptions/${subscription?.id ?? ''}`, { filter: { kind: 'mine' } }),
      200,
    );
    expect(changed).toMatchObject({ origin: 'USER' });
    dataOf(
      await space.owner.put(`/applications/${installed.id}`, {
        manifest: withDefault({ identifier: installed.identifier }),
      }),
      200,
    );
    expect(await subscriptionsOf(space)).toMatchObject([
      { id: subscription?.id, filter: { kind: 'mine' }, origin: 'USER' },
    ]);
  });

  it('stay, and go on starting their task, once the user has changed the task', async () => {
    const space = await platform.newSpace();
    const installed = await install(space, withDefault());
    const [subscription] = await subscriptionsOf(space);
    const taskId = subscription?.taskId ?? '';
    dataOf(await space.owner.put(`/tasks/${taskId}`, { name: 'Pack my way' }), 200);
    // At once: the event bus may not have heard of it yet.
    dataOf(await space.owner.delete(`/applications/${installed.id}`), 200);
    expect(await subscriptionsOf(space)).toMatchObject([{ id: subscription?.id, taskId, origin: 'USER' }]);
    const again = await install(space, withDefault({ identifier: installed.identifier }));
    expect(await subscriptionsOf(space)).toMatchObject([{ id: subscription?.id, taskId, origin: 'USER' }]);
    const envelopeId = await emit(again, { payload: { order: '1', kind: 'web' } });
    expect(await settledEnvelope(space, envelopeId, 1)).toMatchObject({ matchedSubscriptions: 1 });
    expect(await executionsOf(space, taskId)).toHaveLength(1);
  });

  it('take their task with them at the uninstall, also when the user has deleted the subscription', async () => {
    const space = await platform.newSpace();
    const subscriptions = ['Pack', 'Send'].map((name) => ({
      event: 'order.created',
      task: { name, steps: [{ id: 'x', type: 'transform', with: {} }] },
    }));
    const installed = await install(space, withDefault({ subscriptions }));
    const both = await subscriptionsOf(space);
    expect(both).toHaveLength(2);
    for (const { id } of both) dataOf(await space.owner.delete(`/events/subscriptions/${id ?? ''}`), 200);
    // A task started by a user's subscription is kept.
    const taskId = both[0]?.taskId ?? '';
    const own = { appIdentifier: installed.identifier, event: 'order.paid', taskId: taskId };
    const mine = dataOf(await space.owner.post('/events/subscriptions', own), 201).id as string;
    dataOf(await space.owner.delete(`/applications/${installed.id}`), 200);
    expect((await subscriptionsOf(space)).map(({ id }) => id)).toEqual([mine]);
    expect((dataOf(await space.owner.get('/tasks'), 200) as { id: string }[]).map(({ id }) => id)).toEqual([taskId]);
  });

  it("are shown as the user's a moment after the user has changed their task", async () => {
    const space = await platform.newSpace();
    await install(space, withDefault());
    const [subscription] = await subscriptionsOf(space);
    dataOf(await space.owner.put(`/tasks/${subscription?.taskId ?? ''}`, { description: 'mine' }), 200);
    await until(async () => (await subscriptionsOf(space))[0]?.origin === 'USER');
  });

  it('are known again when an upgrade gives their task another name', async () => {
    const space = await platform.newSpace();
    const installed = await install(space, withDefault());
    const [subscription] = await subscriptionsOf(space);
    const upgrade = async (name: string): Promise<void> => {
      const task = { name, steps: [{ id: 'x', type: 'transform', with: { a: 2 } }] };
      const subscriptions = [{ event: 'order.created', task, filter: { kind: 'web' } }];
      const manifest = withDefault({ identifier: installed.identifier, subscriptions });
      dataOf(await space.owner.put(`/applications/${installed.id}`, { manifest }), 200);
    };
    await upgrade('Pack faster');
    expect(await subscriptionsOf(space)).toMatchObject([{ id: subscription?.id, origin: 'DEFAULT' }]);
    expect(dataOf(await space.owner.get('/tasks'), 200)).toMatchObject([
      { id: subscription?.taskId, name: 'Pack faster' },
    ]);
    dataOf(await space.owner.patch(`/events/subscriptions/${subscription?.id ?? ''}`, { active: false }), 200);
    await upgrade('Pack best');
    await upgrade('Pack best');
    expect(await subscriptionsOf(space)).toMatchObject([{ id: subscription?.id, active: false, origin: 'USER' }]);
    expect(await subscriptionsOf(space)).toHaveLength(1);
  });

  it('and all others go with their task; an upgrade makes a default anew', async () => {
    const space = await platform.newSpace();
    const installed = await install(space, withDefault());
    const [first] = await subscriptionsOf(space);
    const taskId = first?.taskId ?? '';
    await subscribe(space, { appIdentifier: installed.identifier, event: 'order.paid', taskId });
    dataOf(await space.owner.delete(`/tasks/${taskId}`), 200);
    // At once: the event bus may not have heard of it yet.
    const manifest = withDefault({ identifier: installed.identifier });
    dataOf(await space.owner.put(`/applications/${installed.id}`, { manifest }), 200);
    const remaining = await until(async () => {
      const all = await subscriptionsOf(space);
      return all.length === 1 ? all : null;
    });
    expect(remaining[0]?.taskId).not.toBe(taskId);
    expect(dataOf(await space.owner.get(`/tasks/${remaining[0]?.taskId ?? ''}`), 200)).toMatchObject({ name: 'Pack' });
  });

  it.each([
    ['agent', { type: 'agent', with: { agentId: '00000000-0000-7000-8000-000000000000' } }],
    ['dataset', { type: 'dataset', with: { datasetId: '00000000-0000-7000-8000-000000000000', operation: 'query' } }],
  ])('bring no task with an unknown %s: 404, as for a task made by hand', async (_what, step) => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const task = { name: 'Reach', steps: [{ id: 'x', ...step }] };
    const manifest = manifestOf({ subscriptions: [{ event: 'order.created', task }] });
    const refusal = await space.owner.post('/applications', { manifest });
    expect([refusal.status, refusal.body]).toMatchObject([404, { code: 'NOT_FOUND' }]);
    const upgraded = { ...manifest, identifier: installed.identifier };
    expect((await space.owner.put(`/applications/${installed.id}`, { manifest: upgraded })).status).toBe(404);
    expect(dataOf(await space.owner.get('/tasks'), 200)).toEqual([]);
    expect(await subscriptionsOf(space)).toEqual([]);
  });

  it("leave the user's subscriptions alone: they sleep and wake with their event", async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const taskId = await eventTask(space);
    const subscriptionId = await subscribe(space, {
      appIdentifier: installed.identifier,
      event: 'order.created',
      taskId,
    });
    dataOf(await space.owner.delete(`/applications/${installed.id}`), 200);
    expect(await subscriptionsOf(space)).toMatchObject([{ id: subscriptionId, active: true, origin: 'USER' }]);
    const again = await install(space, { identifier: installed.identifier });
    expect(await settledEnvelope(space, await emit(again), 1)).toMatchObject({ matchedSubscriptions: 1 });
    expect(await executionsOf(space, taskId)).toHaveLength(1);
  });

  it('do not outlive an installation that is refused', async () => {
    const space = await platform.newSpace();
    const manifest = withDefault();
    (manifest.subscriptions as unknown[]).push({
      event: 'order.created',
      taskId: '00000000-0000-7000-8000-000000000000',
    });
    expect((await space.owner.post('/applications', { manifest })).status).toBe(404);
    expect(dataOf(await space.owner.get('/tasks'), 200)).toEqual([]);
    expect(dataOf(await space.owner.get('/applications?platform=false'), 200)).toEqual([]);
    expect(dataOf(await space.owner.get('/api-keys?status=ACTIVE'), 200)).toEqual([]);
  });
});
