import { type Client, type TestSpace, until } from '@switchyard/testing';
import { dataOf } from './an-application';

export interface Endpoint {
  id: string;
  name: string;
  url: string;
  headers?: Record<string, string>;
  inFlight: number;
  active: boolean;
  status: string;
  failingReason: string | null;
  failingSince: string | null;
  lastSuccessAt: string | null;
  secret: string;
}

export interface EndpointDelivery {
  id: string;
  kind: string;
  envelopeId: string;
  subscriptionId: string | null;
  taskId: string | null;
  endpointId: string;
  executionId: string | null;
  event: string;
  status: string;
  replay: number;
  attemptCount: number;
  attempts: {
    at: string;
    status: number | null;
    durationMs: number;
    error: { code: string; message: string } | null;
  }[];
  error: string | null;
}

export async function createEndpoint(
  space: TestSpace,
  url: string,
  changes: Record<string, unknown> = {},
): Promise<Endpoint> {
  const body = { name: `to-${Math.random().toString(36).slice(2, 10)}`, url, ...changes };
  return dataOf(await space.owner.post('/events/endpoints', body), 201);
}

export const readEndpoint = async (client: Client, id: string): Promise<Endpoint> =>
  dataOf(await client.get(`/events/endpoints/${id}`), 200);

export const deliveriesOf = async (space: TestSpace, id: string, query = ''): Promise<EndpointDelivery[]> =>
  dataOf(await space.owner.get(`/events/endpoints/${id}/deliveries?limit=100${query}`), 200);

/** Of one envelope, once none of them waits. */
export const settledDeliveries = (space: TestSpace, envelopeId: string, count = 1): Promise<EndpointDelivery[]> =>
  until(async () => {
    const envelope = dataOf(await space.owner.get(`/events/envelopes/${envelopeId}`), 200);
    const deliveries = envelope.deliveries as EndpointDelivery[];
    return deliveries.length >= count && deliveries.every(({ status }) => status !== 'PENDING') ? deliveries : null;
  });
