import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@switchyard/testing';
import type { Neighbour, Scene } from '../neighbour';

const PAYLOAD = 'x'.repeat(250_000);
export const STEPS = [{ id: 'note', type: 'transform', with: { n: 1 } }];

/** An application with one event, and its key. */
export async function application(
  { hostile, space }: Scene,
  schema: object = {},
): Promise<{ identifier: string; emitter: Record<string, string> }> {
  const identifier = `attack-${space.id.slice(-12)}`;
  const manifest = { identifier, name: 'Attack', version: '1.0.0', events: [{ name: 'blow', schema }] };
  const { status, data } = await hostile.ask('/api/applications', { body: { manifest }, parse: true });
  if (status !== 201) throw new Error(`could not install the application: ${status}`);
  return { identifier, emitter: { authorization: `Bearer ${data?.systemApiKey}` } };
}

async function subscribe({ hostile }: Scene, identifier: string, count: number): Promise<void> {
  const taskId = await hostile.make('/api/tasks', { name: 'Run', type: 'EVENT', active: true, steps: STEPS });
  for (let made = 0; made < count;) {
    // Of one task and filter there may be one; each of these matches every emission.
    const filter = { not: { marker: made } };
    const body = { appIdentifier: identifier, event: 'blow', taskId, filter };
    const { status } = await hostile.ask('/api/events/subscriptions', { body });
    if (status === 201) made += 1;
    // An event has only so many, and that is one of the bounds under attack.
    else if (status !== 429) return;
    else await sleep(500);
  }
}

const emitting = (
  scene: Scene,
  workers: number,
  subscriptions: number,
  payload: object,
): ReturnType<Neighbour['prepare']> =>
  application(scene).then(async ({ identifier, emitter }) => {
    await subscribe(scene, identifier, subscriptions);
    const body = { appIdentifier: identifier, event: 'blow', payload };
    return {
      run: () => scene.hostile.lanes(workers, () => scene.hostile.ask('/api/events/emit', { body, headers: emitter })),
    };
  });

/** Each emission of 250 KiB is for hundreds of subscriptions. */
export const fanOut: Neighbour = {
  name: 'event-fan-out',
  bound: 'event stream',
  prepare: (scene) => emitting(scene, scene.size(2, 4), scene.size(20, 450), { text: PAYLOAD }),
};

/** Faster than they can be sent on. */
export const outbox: Neighbour = {
  name: 'outbox',
  bound: 'outbox not yet published',
  prepare: (scene) => emitting(scene, scene.size(8, 24), 10, { text: PAYLOAD }),
};

/** As many small emissions as the rate allows, each for many subscriptions: the lane of the Space is never empty. */
export const heavyShard: Neighbour = {
  name: 'heavy-lane',
  bound: 'lane of a Space at dispatch',
  prepare: (scene) => emitting(scene, 4, scene.size(20, 300), { n: 1 }),
};

/** Payloads as long as may be, by a schema whose patterns are as large as may be. */
export const patternTimesText: Neighbour = {
  name: 'pattern-times-text',
  bound: 'check of a value against a schema',
  refusals: [400],
  prepare: async (scene) => {
    const pattern = '(?:a?){499}a{499}b|[^a]';
    const { identifier, emitter } = await application(scene, { additionalProperties: { pattern } });
    const payload = { text: 'a'.repeat(120_000), other: 'a'.repeat(120_000) };
    const body = { appIdentifier: identifier, event: 'blow', payload };
    return {
      run: () =>
        scene.hostile.lanes(scene.size(4, 12), () => scene.hostile.ask('/api/events/emit', { body, headers: emitter })),
    };
  },
};

/** Envelopes with large payloads, a hundred on a page. */
export const largeLists: Neighbour = {
  name: 'large-lists',
  bound: 'answer of a list',
  prepare: async (scene) => {
    const { hostile } = scene;
    const { identifier, emitter } = await application(scene);
    const body = { appIdentifier: identifier, event: 'blow', payload: { text: PAYLOAD } };
    for (let sent = 0; sent < scene.size(20, 100); sent += 1)
      await hostile.ask('/api/events/emit', { body, headers: emitter });
    const taskId = await hostile.make('/api/tasks', {
      name: 'Large',
      type: 'MANUAL',
      active: true,
      steps: [{ id: 'keep', type: 'transform', with: { text: '{{ execution.inputs.text }}' } }],
    });
    for (let sent = 0; sent < scene.size(10, 100); sent += 1)
      await hostile.ask(`/api/tasks/${taskId}/execute`, { body: { inputs: { text: PAYLOAD } } });
    const lists = ['/api/events/envelopes?limit=100', '/api/tasks/executions?limit=100', '/api/agent-jobs?limit=100'];
    return {
      run: () => hostile.lanes(scene.size(3, 12), (shard) => hostile.ask(lists[shard % lists.length] ?? '')),
    };
  },
};

const MISSED = { short: 4_000, full: 100_000 };

/** Ranges of events that an endpoint missed are sent again to it, as many at a time as may be: none of them is delivered. */
export const endpointReplays: Neighbour = {
  name: 'endpoint-replays',
  bound: 'replays of a range to an endpoint',
  refusals: [409, 429],
  prepare: async (scene) => {
    const { hostile, platform, space } = scene;
    const { identifier, emitter } = await application(scene);
    const endpointId = await hostile.make('/api/events/endpoints', {
      name: 'missed',
      url: 'https://example.com/',
      active: false,
    });
    await hostile.make('/api/events/subscriptions', { appIdentifier: identifier, event: 'blow', endpointId });
    await hostile.ask('/api/events/emit', {
      body: { appIdentifier: identifier, event: 'blow', payload: {} },
      headers: emitter,
    });
    const first = (): Promise<unknown[]> =>
      platform.database.query('select 1 from event_bus.endpoint_deliveries where endpoint_id = $1', [endpointId]);
    await until(async () => (await first()).length === 1);
    await platform.database.query(
      `with model as (select * from event_bus.emissions where space_id = $1 and app_identifier = $4),
       made as (
         insert into event_bus.emissions (space_id, id, lane, app_identifier, event, event_id, payload, source, status,
           correlation_id, depth, emitted_at, payload_bytes)
         select space_id, gen_random_uuid(), lane, app_identifier, event, event_id, payload, source, status, gen_random_uuid(),
                depth, emitted_at - make_interval(secs => n), payload_bytes from model, generate_series(1, $3::int) n
         returning space_id, id, event, emitted_at)
       insert into event_bus.endpoint_deliveries (space_id, id, envelope_id, endpoint_id, event, emitted_at, replay, bytes, status, error)
       select space_id, gen_random_uuid(), id, $2, event, emitted_at, 0, 100, 'FAILED', 'ENDPOINT_DISABLED' from made`,
      [space.id, endpointId, scene.size(MISSED.short, MISSED.full), identifier],
    );
    const body = { from: new Date(Date.now() - 7 * 86_400_000).toISOString() };
    return {
      run: () => hostile.lanes(16, () => hostile.ask(`/api/events/endpoints/${endpointId}/replay`, { body })),
    };
  },
};
