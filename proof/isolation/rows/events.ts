import { setTimeout as sleep } from 'node:timers/promises';
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
