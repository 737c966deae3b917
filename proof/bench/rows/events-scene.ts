import { type Reply, TestPlatform, type TestSpace } from '@switchyard/testing';

export interface EventsScene {
  platform: TestPlatform;
  space: TestSpace;
  applicationId: string;
  appIdentifier: string;
  key: string;
  eventId: string;
  taskId: string;
}

type CreatedTask = { id: string; systemApiKey: string };

function dataOf(reply: Reply, status: number): CreatedTask {
  if (reply.status !== status)
    throw new Error(`expected ${status}, got ${reply.status}: ${JSON.stringify(reply.body)}`);
  return (reply.body as { data: CreatedTask }).data;
}

const schema = {
  type: 'object',
  properties: { order: { type: 'string' }, customer: { type: 'string' }, total: { type: 'number' } },
  required: ['order', 'customer'],
};

/** A Space with an application and an EVENT task, and no subscription yet. */
export async function setEventsScene(): Promise<EventsScene> {
  const platform = new TestPlatform();
  const space = await platform.newSpace();
  const appIdentifier = `bench-${space.id.slice(-12)}`;
  const manifest = { identifier: appIdentifier, name: 'Bench', version: '1.0.0', events: [{ name: 'order', schema }] };
  const { id: applicationId, systemApiKey: key } = dataOf(await space.owner.post('/applications', { manifest }), 201);
  await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 50 } });
  const task = {
    name: 'Note',
    type: 'EVENT',
    active: true,
    steps: [{ id: 'note', type: 'transform', with: { order: '{{ execution.inputs.trigger.payload.order }}' } }],
    concurrency: { limit: 50, policy: 'QUEUE' },
  };
  const taskId = dataOf(await space.owner.post('/tasks', task), 201).id;
  const events = (await space.owner.get('/events/registered')).body as { data: CreatedTask[] };
  return { platform, space, applicationId, appIdentifier, key, eventId: events.data[0]?.id ?? '', taskId };
}

export async function subscribe({ space, eventId, taskId }: EventsScene): Promise<void> {
  dataOf(await space.owner.post('/events/subscriptions', { eventId, taskId }), 201);
}

/** One subscription for each of so many customers. Written to the database, because ten thousand requests are another row's matter. */
export async function subscribeCustomers(
  { platform, space, eventId, taskId }: EventsScene,
  customers: number,
): Promise<void> {
  await platform.database.query('delete from event_bus.subscriptions where space_id = $1', [space.id]);
  await platform.database.query(
    `insert into event_bus.subscriptions (space_id, id, event_id, task_id, filter, active, origin)
     select $1, gen_random_uuid(), $2, $3, jsonb_build_object('customer', 'c-' || n), true, 'USER' from generate_series(1, $4::int) n`,
    [space.id, eventId, taskId, customers],
  );
  await platform.database.query(
    'update event_bus.registered_events set subscriptions_revision = subscriptions_revision + 1 where space_id = $1',
    [space.id],
  );
}

let made = 0;

/** A payload of about 200 bytes, without a customer unless one is named. */
export const payloadOf = (customer = 'nobody'): Record<string, unknown> => ({
  order: `order-${(made += 1)}`,
  customer,
  total: 12.5,
  note: 'x'.repeat(120),
});
