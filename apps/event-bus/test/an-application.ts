import { type Answer, Client, type Reply, type TestSpace } from '@switchyard/testing';

export interface InstalledApplication {
  id: string;
  identifier: string;
  /** Speaks with the application's system key. */
  app: Client;
  body: Answer;
}

export const orderSchema = {
  type: 'object',
  properties: { order: { type: 'string' }, total: { type: 'number', minimum: 0 }, kind: { type: 'string' } },
  required: ['order'],
};

export const manifestOf = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  identifier: `shop-${Math.random().toString(36).slice(2, 10)}`,
  name: 'Shop',
  version: '1.0.0',
  events: [
    { name: 'order.created', description: 'An order came in.', schema: orderSchema },
    { name: 'order.paid', schema: orderSchema },
  ],
  ...changes,
});

export const dataOf = (reply: Reply, status: number): Answer => {
  if (reply.status !== status)
    throw new Error(`expected ${status}, got ${reply.status}: ${JSON.stringify(reply.body)}`);
  return (reply.body as { data: Answer }).data;
};

export async function install(space: TestSpace, changes: Record<string, unknown> = {}): Promise<InstalledApplication> {
  const manifest = manifestOf(changes);
  const body = dataOf(await space.owner.post('/applications', { manifest }), 201);
  return {
    id: body.id as string,
    identifier: manifest.identifier as string,
    app: space.owner.as(`Bearer ${body.systemApiKey as string}`),
    body,
  };
}

export const emission = (
  { identifier }: InstalledApplication,
  changes: Record<string, unknown> = {},
): Record<string, unknown> => ({
  appIdentifier: identifier,
  event: 'order.created',
  payload: { order: 'o-1', total: 5 },
  ...changes,
});

/** An active EVENT task of one step that keeps its trigger. */
export async function eventTask(space: TestSpace, changes: Record<string, unknown> = {}): Promise<string> {
  const body = {
    name: 'Look',
    type: 'EVENT',
    active: true,
    steps: [{ id: 'keep', type: 'transform', with: { trigger: '{{ execution.inputs.trigger }}' } }],
    ...changes,
  };
  return dataOf(await space.owner.post('/tasks', body), 201).id as string;
}
