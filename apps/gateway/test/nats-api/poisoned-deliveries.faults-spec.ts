import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { poisonFor } from '@switchyard/kernel';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { countDeaths } from '../support/process-deaths';
import { type Shop, deliveriesOf, installShop, listen, natsEndpoint, ok } from './an-endpoint';
import { closeConnections, newAccount } from './nats-account';

/** A restart and a lease. */
const PATIENCE = { timeoutMs: 240_000, everyMs: 250 };
const POISON = poisonFor('event-bus.delivering');

const platform = usePlatform();

let space: TestSpace;
let shop: Shop;
let end = (): void => undefined;

beforeEach(async () => {
  space = await platform.newSpace();
  shop = await installShop(space);
});

afterEach(() => {
  end();
});
afterAll(closeConnections);

interface Receiver {
  endpointId: string;
  orders: () => string[];
  end: () => void;
}

async function overNats(): Promise<Receiver> {
  const { account } = await newAccount(platform, space);
  const { id, name } = await natsEndpoint(space, shop, account);
  const { received, end } = await listen(account, name);
  return { endpointId: id, orders: () => received.map(({ body }) => body.data.order), end };
}

async function overHttp(): Promise<Receiver> {
  const orders: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      orders.push((JSON.parse(Buffer.concat(chunks).toString()) as { data: { order: string } }).data.order);
      response.end();
    });
  });
  // 127.0.0.2 is open to outgoing calls in tests.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  const url = `http://127.0.0.2:${(server.address() as AddressInfo).port}/hook`;
  const endpointId = ok(await space.owner.post('/events/endpoints', { name: 'hook', url }), 201).id as string;
  const subscription = { appIdentifier: shop.identifier, event: 'order.created', endpointId };
  ok(await space.owner.post('/events/subscriptions', subscription), 201);
  const end = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { endpointId, orders: () => orders, end };
}

/** Again until it is accepted: what takes it dies meanwhile. */
const emitted = (order: string, key: string): Promise<string> =>
  until(async () => {
    const body = { appIdentifier: shop.identifier, event: 'order.created', payload: { order }, idempotencyKey: key };
    const { status, body: answer } = await shop.app.post('/events/emit', body);
    return status < 300 ? (answer.data.envelopeId as string) : null;
  }, PATIENCE);

async function deliveredOf(endpointId: string): Promise<number> {
  const [row] = await platform.database.query<{ count: string }>(
    `select count(*) as count from event_bus.endpoint_deliveries where endpoint_id = $1 and status = 'DELIVERED'`,
    [endpointId],
  );
  return Number(row?.count);
}

describe.each([
  ['NATS', overNats],
  ['HTTP', overHttp],
])('a delivery over %s that ends the process which makes it', (_, receiverOf) => {
  it('is given up after two losses, those beside it arrive, and it is made when it was mended', async () => {
    const operator = await platform.operator();
    const receiver = await receiverOf();
    end = receiver.end;
    const { endpointId, orders } = receiver;
    const counted = countDeaths(platform.service('event-bus'));
    await emitted('good', 'good');
    await until(() => orders().length === 1, PATIENCE);
    const envelopeId = await emitted(POISON, 'bad');
    // Those whose dispatch runs beside it are not blamed.
    for (const order of ['1', '2', '3', '4', '5']) await emitted(order, order);

    const row = await until(async () => {
      const { body } = await operator.get('/operator/poisoned?kind=webhook&limit=100');
      return (body.data as { id: string; spaceId: string; losses: number }[]).find(
        ({ spaceId }) => spaceId === space.id,
      );
    }, PATIENCE);
    expect(row.losses).toBe(2);
    const delivery = await until(async () => {
      const found = await deliveriesOf(space, endpointId);
      return found.find((each) => each.envelopeId === envelopeId);
    }, PATIENCE);
    expect(delivery).toMatchObject({ id: row.id, status: 'FAILED', error: 'RUNTIME_UNAVAILABLE', attemptCount: 0 });
    await until(async () => (await deliveredOf(endpointId)) === 6, PATIENCE);
    expect(orders()).not.toContain(POISON);
    // One loss is excused where other work of the process ran beside it.
    expect([2, 3]).toContain(counted.deaths());
    counted.end();

    await platform.database.query(
      `update event_bus.emissions set payload = replace(payload::text, $2, 'harmless')::jsonb where id = $1`,
      [envelopeId, POISON],
    );
    const retried = await until(async () => {
      const answer = await operator.post(`/operator/poisoned/${row.id}/retry`, {});
      return answer.status === 503 ? null : answer;
    }, PATIENCE);
    expect(retried.status).toBe(200);
    await until(() => orders().includes('harmless'), PATIENCE);
  }, 500_000);
});
