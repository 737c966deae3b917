import { type Reply, until, usePlatform } from '@switchyard/testing';
import { deliveriesOf, installShop, listen, natsEndpoint, ok } from './an-endpoint';
import { closeConnections, newAccount } from './nats-account';

const platform = usePlatform();
/** If each of them waited five seconds for the receiver, they would take twice the patience. */
const EMISSIONS = 25;
/** The receiver may take longer than the test: its attempt does not end while the emissions are repeated. */
const ACK_SECONDS = 600;
/** A restart, and the sweep that sets the delivery free. */
const PATIENCE = { timeoutMs: 60_000 };

afterAll(closeConnections);

describe('many emissions that were lost together with a delivery to a slow receiver', () => {
  it('are all repeated before the receiver answers', async () => {
    const space = await platform.newSpace();
    const shop = await installShop(space);
    const { account } = await newAccount(platform, space);
    const { id: endpointId, name } = await natsEndpoint(space, shop, account, {
      inFlight: 1,
      ackSeconds: ACK_SECONDS,
    });
    const { received } = await listen(account, name, () => undefined);
    const emit = (event: string, key: string): Promise<Reply> => {
      const body = { appIdentifier: shop.identifier, event, payload: { order: key }, idempotencyKey: key };
      return shop.app.post('/events/emit', body);
    };
    ok(await emit('order.created', 'to-the-receiver'), 202);
    await until(() => received.length === 1, PATIENCE);

    const service = platform.service('event-bus');
    const gateway = platform.service('gateway');
    service.pause();
    const keys = Array.from({ length: EMISSIONS }, (_, number) => `lost-${number}`);
    const interrupted = Promise.all(keys.map((key) => emit('order.paid', key)));
    await until(async () => (await gateway.metric('switchyard_http_requests_open')) >= EMISSIONS, PATIENCE);
    await service.crash();
    const statuses = (await interrupted).map(({ status }) => status);
    expect(statuses.every((status) => status >= 500)).toBe(true);

    await until(() => received.length === 2, PATIENCE);
    // The gateway refuses those for which its queue of repeats has no room.
    const repeat = (key: string): Promise<Reply> =>
      until(async () => {
        const reply = await emit('order.paid', key);
        return reply.status === 503 ? null : reply;
      }, PATIENCE);
    const repeated = await Promise.all(keys.map(repeat));
    expect(repeated.map(({ status }) => status)).toEqual(keys.map(() => 202));
    // The same attempt still waits.
    expect(received).toHaveLength(2);
    received[1]?.respond();
    await until(async () => (await deliveriesOf(space, endpointId))[0]?.status === 'DELIVERED', PATIENCE);
  }, 200_000);
});
