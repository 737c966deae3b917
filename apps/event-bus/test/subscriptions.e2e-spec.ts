import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';
import { executionsOf, readEnvelope, settledEnvelope, subscribe } from './watching';

const platform = usePlatform();

const emit = async (installed: InstalledApplication, changes: Record<string, unknown> = {}): Promise<string> =>
  dataOf(await installed.app.post('/events/emit', emission(installed, changes)), 202).envelopeId as string;

async function subscribed(
  filter?: unknown,
): Promise<{ space: TestSpace; installed: InstalledApplication; taskId: string; subscriptionId: string }> {
  const space = await platform.newSpace();
  const installed = await install(space);
  const taskId = await eventTask(space);
  const subscriptionId = await subscribe(space, {
    appIdentifier: installed.identifier,
    event: 'order.created',
    taskId,
    filter,
  });
  return { space, installed, taskId, subscriptionId };
}

describe('the filter of a subscription', () => {
  it('is tested against what was emitted before it is saved', async () => {
    const { space, installed } = await subscribed({ total: { gt: 1_000_000 } });
    const small = await emit(installed, { payload: { order: 'small', total: 5 } });
    const large = await emit(installed, { payload: { order: 'large', total: 500 } });
    const events = dataOf(await space.owner.get('/events/registered'), 200) as unknown as {
      id: string;
      name: string;
    }[];
    const { id = '' } = events.find(({ name }) => name === 'order.created') ?? {};
    const test = (filter: unknown, eventId = id) =>
      space.owner.post(`/events/registered/${eventId}/test-filter`, { filter });
    // The newest first.
    expect(dataOf(await test({ total: { gte: 100 } }), 200)).toMatchObject([
      { id: large, matches: true },
      { id: small, matches: false },
    ]);
    expect(dataOf(await test(null), 200)).toMatchObject([{ matches: true }, { matches: true }]);
    expect((await test({ total: { near: 3 } })).status).toBe(400);
    expect((await test({}, '00000000-0000-7000-8000-000000000000')).status).toBe(404);
    // Nothing was stored of it.
    expect(dataOf(await space.owner.get('/events/subscriptions'), 200)).toMatchObject([
      { filter: { total: { gt: 1_000_000 } } },
    ]);
  });
});

describe('a subscription', () => {
  it('starts its task once for each emission, with the event as its trigger', async () => {
    const { space, installed, taskId, subscriptionId } = await subscribed();
    const envelopeId = await emit(installed);
    const envelope = await settledEnvelope(space, envelopeId, 1);
    expect(envelope).toMatchObject({ status: 'DISPATCHED', matchedSubscriptions: 1 });
    expect(envelope.deliveries).toMatchObject([{ subscriptionId, taskId, status: 'TRIGGERED', replay: 0 }]);
    const executions = await executionsOf(space, taskId);
    expect(executions.map((execution) => execution.id)).toEqual([envelope.deliveries[0]?.executionId]);
    // The execution has its name before the event bus has heard of it.
    await platform.database.query(
      `update event_bus.deliveries set status = 'PENDING', execution_id = null where envelope_id = $1`,
      [envelopeId],
    );
    expect((await readEnvelope(space, envelopeId)).deliveries).toMatchObject([
      { status: 'PENDING', executionId: executions[0]?.id },
    ]);
    expect(executions[0]).toMatchObject({ depth: 0, causationId: envelopeId });
    expect(executions[0]?.inputs.trigger).toMatchObject({
      event: 'order.created',
      payload: { order: 'o-1', total: 5 },
      source: 'app',
      id: envelopeId,
      spaceId: space.id,
      causationId: null,
      depth: 0,
    });
    expect(executions[0]?.inputs.trigger?.emittedAt).toMatch(/^\d{4}-.*Z$/);
  });

  it('is made by event id or by names, is read, listed and deleted', async () => {
    const { space, installed, taskId, subscriptionId } = await subscribed();
    const [event] = dataOf(await space.owner.get('/events/registered?name=order.paid'), 200) as { id: string }[];
    const created = dataOf(
      await space.owner.post('/events/subscriptions', { eventId: event?.id, taskId, active: false }),
      201,
    );
    expect(created).toMatchObject({
      eventId: event?.id,
      appIdentifier: installed.identifier,
      event: 'order.paid',
      taskId,
      filter: null,
      active: false,
      origin: 'USER',
    });
    const listed = dataOf(await space.owner.get('/events/subscriptions?active=true'), 200) as { id: string }[];
    expect(listed.map((item) => item.id)).toEqual([subscriptionId]);
    const read = await space.owner.get(`/events/subscriptions/${created.id as string}`);
    expect(dataOf(read, 200)).toMatchObject({ id: created.id });
    expect(dataOf(await space.owner.delete(`/events/subscriptions/${created.id as string}`), 200)).toEqual({
      id: created.id,
      deleted: true,
    });
    expect((await space.owner.get(`/events/subscriptions/${created.id as string}`)).body).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is made, changed and taken away by many at once, also while its application goes', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const tasks = await Promise.all(Array.from({ length: 6 }, () => eventTask(space)));
    const body = (taskId: string) => ({ appIdentifier: installed.identifier, event: 'order.created', taskId });
    const made = await Promise.all(tasks.map((taskId) => space.owner.post('/events/subscriptions', body(taskId))));
    expect(made.map(({ status }) => status)).toEqual(tasks.map(() => 201));
    const ids = made.map((reply) => dataOf(reply, 201).id as string);
    const changes = ids.map((id) => space.owner.patch(`/events/subscriptions/${id}`, { active: false }));
    const deletion = space.owner.delete(`/applications/${installed.id}`);
    const late = tasks.map((taskId) => space.owner.post('/events/subscriptions', body(taskId)));
    for (const { status } of await Promise.all([...changes, deletion, ...late]))
      expect([200, 201, 404, 409]).toContain(status);
  });

  it('keeps both of two changes made at the same time', async () => {
    const { space, subscriptionId } = await subscribed();
    const path = `/events/subscriptions/${subscriptionId}`;
    for (let round = 1; round <= 8; round += 1) {
      const change = { active: round % 2 === 0, filter: { total: round } };
      const answers = await Promise.all([
        space.owner.patch(path, { active: change.active }),
        space.owner.patch(path, { filter: change.filter }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(dataOf(await space.owner.get(path), 200)).toMatchObject(change);
    }
  });

  it('is deleted by one of many who delete it at the same time', async () => {
    const { space, subscriptionId } = await subscribed();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => space.owner.delete(`/events/subscriptions/${subscriptionId}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
  });

  it('is refused for what is not there, for a task of another type, and for a filter that is none', async () => {
    const { space, installed, taskId } = await subscribed();
    const manual = await eventTask(space, { type: 'MANUAL' });
    const foreignTask = await eventTask(await platform.newSpace());
    const [event] = dataOf(await space.owner.get('/events/registered?name=order.created'), 200) as { id: string }[];
    const body = { appIdentifier: installed.identifier, event: 'order.created', taskId };
    const answers = await Promise.all(
      [
        { ...body, event: 'none' },
        { ...body, appIdentifier: 'nobody' },
        { taskId, eventId: taskId },
        { taskId, eventId: event?.id, appIdentifier: 'nobody' },
        { taskId, eventId: event?.id, event: 'order.paid' },
        { ...body, taskId: foreignTask },
        { ...body, taskId: manual },
        { ...body, filter: { total: { near: 5 } } },
        { taskId },
        { ...body, origin: 'DEFAULT' },
      ].map((item) => space.owner.post('/events/subscriptions', item)),
    );
    expect(answers.map((answer) => answer.body.code)).toEqual([
      'EVENT_NOT_REGISTERED',
      'APPLICATION_NOT_INSTALLED',
      ...['NOT_FOUND', 'VALIDATION_ERROR', 'VALIDATION_ERROR', 'NOT_FOUND'],
      ...Array.from({ length: 4 }, () => 'VALIDATION_ERROR'),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 400, 400, 404, 400, 400, 400, 400]);
    const viewer = await space.member('VIEWER');
    expect((await viewer.post('/events/subscriptions', body)).status).toBe(403);
  });

  it('starts its task only for payloads that fit its filter', async () => {
    const { space, installed, taskId } = await subscribed({ kind: ['web', 'shop'], total: { gte: 5 } });
    const matching = await emit(installed, { payload: { order: '1', kind: 'web', total: 5 } });
    const others = [
      await emit(installed, { payload: { order: '2', kind: 'phone', total: 9 } }),
      await emit(installed, { payload: { order: '3', kind: 'web', total: 4 } }),
      await emit(installed, { payload: { order: '4' } }),
    ];
    for (const id of others)
      expect(await settledEnvelope(space, id)).toMatchObject({ status: 'DISPATCHED', matchedSubscriptions: 0 });
    expect(await settledEnvelope(space, matching, 1)).toMatchObject({ matchedSubscriptions: 1 });
    expect(await executionsOf(space, taskId)).toHaveLength(1);
  });

  it('can be switched off and on, and its filter changed', async () => {
    const { space, installed, taskId, subscriptionId } = await subscribed();
    const patch = async (body: object) =>
      dataOf(await space.owner.patch(`/events/subscriptions/${subscriptionId}`, body), 200);
    expect(await patch({ active: false })).toMatchObject({ active: false, filter: null });
    expect(await settledEnvelope(space, await emit(installed))).toMatchObject({ matchedSubscriptions: 0 });
    expect(await patch({ active: true, filter: { total: 5 } })).toMatchObject({ active: true, filter: { total: 5 } });
    expect(await settledEnvelope(space, await emit(installed), 1)).toMatchObject({ matchedSubscriptions: 1 });
    await patch({ filter: { total: 6 } });
    expect(await settledEnvelope(space, await emit(installed))).toMatchObject({ matchedSubscriptions: 0 });
    await patch({ filter: null });
    expect(await settledEnvelope(space, await emit(installed), 1)).toMatchObject({ matchedSubscriptions: 1 });
    expect(await executionsOf(space, taskId)).toHaveLength(2);
    expect((await space.owner.patch(`/events/subscriptions/${subscriptionId}`, { taskId })).status).toBe(400);
  });

  it('starts no task that is switched off', async () => {
    const { space, installed, taskId } = await subscribed();
    expect((await space.owner.put(`/tasks/${taskId}`, { active: false })).status).toBe(200);
    expect(await settledEnvelope(space, await emit(installed))).toMatchObject({
      status: 'DISPATCHED',
      matchedSubscriptions: 0,
    });
    expect((await space.owner.put(`/tasks/${taskId}`, { active: true })).status).toBe(200);
    expect(await settledEnvelope(space, await emit(installed), 1)).toMatchObject({ matchedSubscriptions: 1 });
  });

  it('keeps the order of emissions', async () => {
    const { space, installed, taskId } = await subscribed();
    const orders = Array.from({ length: 20 }, (_, index) => String(index));
    for (const order of orders) await emit(installed, { payload: { order } });
    const executions = await until(async () => {
      const all = await executionsOf(space, taskId);
      return all.length === orders.length ? all : null;
    });
    const seen = executions
      .reverse()
      .map((execution) => (execution.inputs.trigger?.payload as { order: string }).order);
    expect(seen).toEqual(orders);
  });
});

describe('a replay', () => {
  it('starts the matching subscriptions of now again, each time once', async () => {
    const { space, installed, taskId } = await subscribed();
    const envelopeId = await emit(installed);
    await settledEnvelope(space, envelopeId, 1);
    const second = await eventTask(space);
    await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', taskId: second });
    for (const replay of [1, 2, 3]) {
      const answer = dataOf(await space.owner.post(`/events/envelopes/${envelopeId}/replay`, {}), 202);
      expect(answer).toEqual({ envelopeId, replay, matchedSubscriptions: 2 });
    }
    const envelope = await settledEnvelope(space, envelopeId, 7);
    expect(envelope.deliveries.map((delivery) => delivery.replay).sort()).toEqual([0, 1, 1, 2, 2, 3, 3]);
    expect(new Set(envelope.deliveries.map((delivery) => delivery.executionId)).size).toBe(7);
    expect(await executionsOf(space, taskId)).toHaveLength(4);
    expect(await executionsOf(space, second)).toHaveLength(3);
  });

  it('happens once for one idempotency key', async () => {
    const { space, installed, taskId } = await subscribed();
    const envelopeId = await emit(installed);
    await settledEnvelope(space, envelopeId, 1);
    const send = () =>
      space.owner.post(`/events/envelopes/${envelopeId}/replay`, {}, { headers: { 'idempotency-key': 'again' } });
    const first = await send();
    const repeat = await send();
    expect(dataOf(repeat, 202)).toEqual(dataOf(first, 202));
    expect(repeat.headers['idempotency-replayed']).toBe('true');
    await settledEnvelope(space, envelopeId, 2);
    expect(await executionsOf(space, taskId)).toHaveLength(2);
  });

  it('brings what could not be dispatched on its way', async () => {
    const { space, installed, taskId } = await subscribed();
    const envelopeId = await emit(installed);
    await settledEnvelope(space, envelopeId, 1);
    await platform.database.query(
      `update event_bus.emissions set status = 'FAILED', error = '{"code":"SERVER_ERROR","message":"given up"}' where id = $1`,
      [envelopeId],
    );
    expect((await readEnvelope(space, envelopeId)).status).toBe('FAILED');
    expect((await space.owner.post(`/events/envelopes/${envelopeId}/replay`, {})).status).toBe(202);
    expect(await settledEnvelope(space, envelopeId, 2)).toMatchObject({ status: 'DISPATCHED', error: null });
    expect(await executionsOf(space, taskId)).toHaveLength(2);
  });

  it('may come before the first dispatch is through', async () => {
    const { space, installed } = await subscribed();
    const envelopeId = await emit(installed);
    expect((await space.owner.post(`/events/envelopes/${envelopeId}/replay`, {})).status).toBe(202);
    const envelope = await settledEnvelope(space, envelopeId, 2);
    expect(envelope.deliveries.map((delivery) => delivery.replay).sort()).toEqual([0, 1]);
  });

  it('is for members, not for viewers', async () => {
    const { space, installed } = await subscribed();
    const envelopeId = await emit(installed);
    expect((await (await space.member('VIEWER')).post(`/events/envelopes/${envelopeId}/replay`, {})).status).toBe(403);
    expect((await (await space.member('MEMBER')).post(`/events/envelopes/${envelopeId}/replay`, {})).status).toBe(202);
    expect((await space.owner.post('/events/envelopes/nonsense/replay', {})).status).toBe(400);
  });
});

describe('an event of another Space', () => {
  it('starts nothing here', async () => {
    const here = await subscribed();
    const thereSpace = await platform.newSpace();
    const there = await install(thereSpace, { identifier: here.installed.identifier });
    const envelopeId = await emit(there);
    expect(await settledEnvelope(thereSpace, envelopeId)).toMatchObject({ matchedSubscriptions: 0 });
    expect(await executionsOf(here.space, here.taskId)).toEqual([]);
    expect((await here.space.owner.get(`/events/envelopes/${envelopeId}`)).status).toBe(404);
    await expect(readEnvelope(thereSpace, envelopeId)).resolves.toMatchObject({ id: envelopeId });
  });
});
