import { type TestSpace, until } from '@switchyard/testing';
import { dataOf } from './an-application';

export interface Delivery {
  subscriptionId: string;
  taskId: string;
  executionId: string | null;
  status: string;
  replay: number;
}

export interface EmissionView {
  id: string;
  appIdentifier: string;
  event: string;
  status: string;
  matchedSubscriptions: number;
  depth: number;
  causationId: string | null;
  correlationId: string;
  payload: Record<string, unknown>;
  source: string;
  error: { code: string; message: string } | null;
  deliveries: Delivery[];
}

export interface Execution {
  id: string;
  taskId: string;
  status: string;
  depth: number;
  causationId: string | null;
  inputs: { trigger?: Record<string, unknown> };
}

export const readEnvelope = async (space: TestSpace, id: string): Promise<EmissionView> =>
  dataOf(await space.owner.get(`/events/envelopes/${id}`), 200) as EmissionView;

/** Once it has left PENDING and every delivery has been answered. */
export const settledEnvelope = (
  space: TestSpace,
  id: string,
  deliveries = 0,
  timeoutMs = 60_000,
): Promise<EmissionView> =>
  until(
    async () => {
      const envelope = await readEnvelope(space, id);
      const isSettled =
        envelope.status !== 'PENDING' && envelope.deliveries.every((delivery) => delivery.status !== 'PENDING');
      return isSettled && envelope.deliveries.length >= deliveries ? envelope : null;
    },
    { timeoutMs },
  );

export const executionsOf = async (space: TestSpace, taskId: string): Promise<Execution[]> =>
  dataOf(await space.owner.get(`/tasks/${taskId}/executions?limit=100`), 200) as Execution[];

export async function allEnvelopes(space: TestSpace, query = ''): Promise<EmissionView[]> {
  const all: EmissionView[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const reply = await space.owner.get(
      `/events/envelopes?limit=100${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    all.push(...(dataOf(reply, 200) as EmissionView[]));
    cursor = (reply.body as { page: { nextCursor: string | null } }).page.nextCursor;
  }
  return all;
}

export const subscribe = async (space: TestSpace, body: Record<string, unknown>): Promise<string> =>
  dataOf(await space.owner.post('/events/subscriptions', body), 201).id as string;
