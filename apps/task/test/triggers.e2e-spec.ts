import { newId } from '@switchyard/kernel';
import { type Answer, type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { TaskActions, stepOf, transform } from './task-actions';

const platform = usePlatform();
let space: TestSpace;
let tasks: TaskActions;
let app: Client;
let identifier: string;
beforeAll(async () => {
  space = await platform.newSpace();
  tasks = new TaskActions(space.owner);
  identifier = `shop-${newId().slice(-12)}`;
  const schema = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] };
  const manifest = {
    identifier,
    name: 'Shop',
    version: '1.0.0',
    events: [
      { name: 'order.created', schema },
      { name: 'order.seen', schema },
    ],
  };
  const installed = await space.owner.post('/applications', { manifest });
  expect(installed).toMatchObject({ status: 201 });
  app = space.owner.as(`Bearer ${installed.body.data.systemApiKey}`);
});

const subscribe = (taskId: string, event = 'order.created') =>
  space.owner.post('/events/subscriptions', { appIdentifier: identifier, event, taskId });
const emit = async (order: string, event = 'order.created'): Promise<string> => {
  const reply = await app.post('/events/emit', { appIdentifier: identifier, event, payload: { order } });
  expect(reply).toMatchObject({ status: 202 });
  return reply.body.data.envelopeId;
};
const executionsOf = async (taskId: string): Promise<Answer[]> =>
  (await space.owner.get(`/tasks/${taskId}/executions`)).body.data;

describe('an event', () => {
  it('starts an execution that finds it at execution.inputs.trigger', async () => {
    const task = await tasks.create({
      type: 'EVENT',
      inputs: { a: 1 },
      steps: [transform('t', { order: '{{ execution.inputs.trigger.payload.order }}', all: '{{ execution.inputs }}' })],
    });
    await subscribe(task.id);
    const envelopeId = await emit('o-1');
    const execution = await until(async () =>
      (await executionsOf(task.id)).find(({ status }) => status === 'SUCCEEDED'),
    );
    const trigger = {
      id: envelopeId,
      event: 'order.created',
      payload: { order: 'o-1' },
      source: 'app',
      spaceId: space.id,
      depth: 0,
      emittedAt: expect.any(String),
      actorUserId: null,
    };
    expect(execution).toMatchObject({
      trigger,
      inputs: { a: 1, trigger },
      causationId: envelopeId,
      correlationId: envelopeId,
      depth: 0,
      requestedBy: null,
      output: { order: 'o-1', all: { a: 1 } },
    });
    const deliveries = await until(async () => {
      const { data } = (await space.owner.get(`/events/envelopes/${envelopeId}`)).body;
      return data.deliveries[0].status !== 'PENDING' && data.deliveries;
    });
    expect(deliveries).toMatchObject([{ taskId: task.id, executionId: execution.id, status: 'TRIGGERED', replay: 0 }]);
  });

  it('starts no task that is inactive or of another type', async () => {
    const off = await tasks.create({ type: 'EVENT', steps: [transform('t', {})] });
    await subscribe(off.id);
    await space.owner.put(`/tasks/${off.id}`, { active: false });
    const manual = await tasks.create({ steps: [transform('t', {})] });
    expect(await subscribe(manual.id)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    const on = await tasks.create({ type: 'EVENT', steps: [transform('t', {})] });
    await subscribe(on.id);
    await emit('o-2');
    await until(async () => (await executionsOf(on.id)).length === 1);
    expect(await executionsOf(off.id)).toEqual([]);
  });

  it('is emitted by a step, one deeper than its run, and once', async () => {
    const second = await tasks.create({
      type: 'EVENT',
      steps: [transform('t', { depth: '{{ execution.inputs.trigger.depth }}' })],
    });
    await subscribe(second.id, 'order.seen');
    const emitStep = {
      id: 'say',
      type: 'emit',
      with: { appIdentifier: identifier, event: 'order.seen', payload: { order: '{{ execution.inputs.order }}' } },
    };
    const first = await tasks.run([emitStep], { inputs: { order: 'o-3' } });
    const text = stepOf(first, 'say').output;
    expect(text).toMatchObject({ envelopeId: expect.any(String), status: 'PENDING', duplicate: false });
    const execution = await until(async () =>
      (await executionsOf(second.id)).find(({ status }) => status === 'SUCCEEDED'),
    );
    expect(execution).toMatchObject({
      depth: 1,
      causationId: text.envelopeId,
      correlationId: first.id,
      output: { depth: 1 },
      trigger: { source: 'system', actorUserId: space.owner.identity.userId },
    });
  });

  it('is refused to a step when it is not registered or does not fit', async () => {
    const step = (event: string, payload: object) => ({
      id: 'say',
      type: 'emit',
      with: { appIdentifier: identifier, event, payload },
    });
    expect((await tasks.run([step('order.lost', {})], { status: 'FAILED' })).error.code).toBe('EVENT_NOT_REGISTERED');
    expect((await tasks.run([step('order.seen', { order: 5 })], { status: 'FAILED' })).error.code).toBe(
      'EVENT_PAYLOAD_INVALID',
    );
    const foreign = new TaskActions((await platform.newSpace()).owner);
    expect((await foreign.run([step('order.seen', { order: 'x' })], { status: 'FAILED' })).error.code).toBe(
      'APPLICATION_NOT_INSTALLED',
    );
  });
});

describe('what an application brings along', () => {
  it('is a task that follows the manifest until a user changes it', async () => {
    const event = { name: 'e', schema: { type: 'object' } };
    const task = (name: string) => ({ event: 'e', task: { name, type: 'EVENT', steps: [transform('t', {})] } });
    const manifest = (version: string, name: string) => ({
      manifest: {
        identifier: `pack-${identifier}`,
        name: 'Pack',
        version,
        events: [event],
        subscriptions: [task(name)],
      },
    });
    const own = await platform.newSpace();
    const installed = (await own.owner.post('/applications', manifest('1.0.0', 'One'))).body.data;
    const mine = await until(async () => (await own.owner.get('/tasks')).body.data[0]);
    expect(mine).toMatchObject({ name: 'One', type: 'EVENT', ownerId: own.owner.identity.userId });
    await own.owner.put(`/tasks/${mine.id}`, { description: 'mine now' });
    expect((await own.owner.delete(`/applications/${installed.id}`)).status).toBe(200);
    expect((await own.owner.get(`/tasks/${mine.id}`)).body.data).toMatchObject({ description: 'mine now' });
  });
});
