import { randomBytes } from 'node:crypto';
import { type Answer, Client, type TestSpace, until } from '@switchyard/testing';
import { type Msg, headers as newHeaders } from 'nats';
import type { NatsAccount, SentHeaders } from './nats-account';

export const ok = (reply: { status: number; body: Answer }, status: number): Answer => {
  if (reply.status !== status)
    throw new Error(`expected ${status}, got ${reply.status}: ${JSON.stringify(reply.body)}`);
  return (reply.body as { data: Answer }).data;
};

export interface Shop {
  identifier: string;
  app: Client;
}

/** An application with two events. */
export async function installShop(space: TestSpace): Promise<Shop> {
  const identifier = `shop-${randomBytes(5).toString('hex')}`;
  const schema = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] };
  const events = ['order.created', 'order.paid'].map((name) => ({ name, schema }));
  const manifest = { identifier, name: 'Shop', version: '1.0.0', events };
  const installed = ok(await space.owner.post('/applications', { manifest }), 201);
  return { identifier, app: space.owner.as(`Bearer ${installed.systemApiKey as string}`) };
}

export async function emit({ identifier, app }: Shop, order: string): Promise<string> {
  const emission = { appIdentifier: identifier, event: 'order.created', payload: { order } };
  return ok(await app.post('/events/emit', emission), 202).envelopeId as string;
}

/** An endpoint of the account that takes the events of the shop. */
export async function natsEndpoint(
  space: TestSpace,
  shop: Shop,
  account: NatsAccount,
  changes: Record<string, unknown> = {},
): Promise<{ id: string; name: string }> {
  const body = {
    name: `to-${randomBytes(5).toString('hex')}`,
    transport: 'nats',
    natsAccountId: account.id,
    ...changes,
  };
  const { id, name } = ok(await space.owner.post('/events/endpoints', body), 201) as { id: string; name: string };
  const subscription = { appIdentifier: shop.identifier, event: 'order.created', endpointId: id };
  ok(await space.owner.post('/events/subscriptions', subscription), 201);
  return { id, name };
}

export interface Delivered {
  subject: string;
  reply: string;
  headers: Record<string, string>;
  body: { type: string; timestamp: string; data: { order: string }; envelopeId: string };
  respond: (headers?: SentHeaders, body?: string) => void;
}

const asDelivered = (message: Msg): Delivered => ({
  subject: message.subject,
  reply: message.reply ?? '',
  headers: Object.fromEntries([...(message.headers ?? [])].map(([name, values]) => [name, values[0] ?? ''])),
  body: JSON.parse(message.string()) as Delivered['body'],
  respond: (given = {}, body = '') => {
    const all = newHeaders();
    for (const [name, value] of Object.entries(given)) all.set(name, String(value));
    message.respond(body, { headers: all });
  },
});

/** Subscribes to what is sent to an endpoint of the account. */
export async function listen(
  account: NatsAccount,
  endpoint: string,
  handle: (delivered: Delivered, count: number) => void = ({ respond }) => {
    respond();
  },
): Promise<{ received: Delivered[]; end: () => void }> {
  const received: Delivered[] = [];
  const subscription = account.nats.subscribe(`switchyard-out.v1.${account.id}.${endpoint}`, {
    queue: 'workers',
    callback: (error, message) => {
      if (error) return;
      const delivered = asDelivered(message);
      received.push(delivered);
      handle(delivered, received.length);
    },
  });
  await account.nats.flush();
  return {
    received,
    end: () => {
      subscription.unsubscribe();
    },
  };
}

export const readEndpoint = async (space: TestSpace, id: string): Promise<Answer> =>
  ok(await space.owner.get(`/events/endpoints/${id}`), 200);

export const reaches = (space: TestSpace, id: string, status: string): Promise<Answer> =>
  until(async () => {
    const endpoint = await readEndpoint(space, id);
    return endpoint.status === status ? endpoint : null;
  });

export const deliveriesOf = async (space: TestSpace, id: string, query = ''): Promise<Answer[]> =>
  ok(await space.owner.get(`/events/endpoints/${id}/deliveries?limit=100${query}`), 200) as Answer[];

export const settled = (space: TestSpace, id: string, status: string, count = 1): Promise<Answer[]> =>
  until(async () => {
    const found = await deliveriesOf(space, id, `&status=${status}`);
    return found.length >= count ? found : null;
  });
