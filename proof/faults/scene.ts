import { type Client, type Reply, type TestPlatform, type TestSpace } from '@switchyard/testing';

export interface Scene {
  space: TestSpace;
  /** Speaks with the application's key. */
  app: Client;
  appIdentifier: string;
  /** Those that match every emission, with the task of each. */
  subscriptions: Map<string, string>;
}

const schema = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 0 }, kind: { type: 'string' } },
  required: ['n', 'kind'],
};

function dataOf(reply: Reply, status: number): { id: string; systemApiKey: string } {
  if (reply.status !== status)
    throw new Error(`expected ${status}, got ${reply.status}: ${JSON.stringify(reply.body)}`);
  return (reply.body as { data: { id: string; systemApiKey: string } }).data;
}

/** A Space with an application, two tasks that run for every emission and one that never does. */
export async function setScene(platform: TestPlatform): Promise<Scene> {
  const space = await platform.newSpace();
  const appIdentifier = `chaos-${space.id.slice(-12)}`;
  const manifest = { identifier: appIdentifier, name: 'Chaos', version: '1.0.0', events: [{ name: 'tick', schema }] };
  const { systemApiKey } = dataOf(await space.owner.post('/applications', { manifest }), 201);
  await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 50 } });
  const subscribe = async (filter?: unknown): Promise<[string, string]> => {
    const task = {
      name: 'Note',
      type: 'EVENT',
      active: true,
      steps: [{ id: 'note', type: 'transform', with: { n: '{{ execution.inputs.trigger.payload.n }}' } }],
      concurrency: { limit: 50, policy: 'QUEUE' },
      // A worker that is killed costs no attempt, but a long run of faults may take one execution twice.
      retry: { maxAttempts: 5, backoffSeconds: 0 },
    };
    const taskId = dataOf(await space.owner.post('/tasks', task), 201).id;
    const subscription = { appIdentifier, event: 'tick', taskId, filter };
    return [dataOf(await space.owner.post('/events/subscriptions', subscription), 201).id, taskId];
  };
  const subscriptions = new Map([await subscribe(), await subscribe({ kind: ['even', 'odd'] })]);
  await subscribe({ kind: 'never' });
  return { space, app: space.owner.as(`Bearer ${systemApiKey}`), appIdentifier, subscriptions };
}
