import type { ServerResponse } from 'node:http';
import { type Reply, until, usePlatform } from '@switchyard/testing';
import { dataOf, emission, install } from './an-application';
import { createEndpoint, deliveriesOf } from './an-endpoint';
import { Receiver } from './receiver';
import { subscribe } from './watching';

const platform = usePlatform();
const EMISSIONS = 25;
/** A restart, and the sweep that sets the delivery free. */
const PATIENCE = { timeoutMs: 60_000 };

describe('many emissions that were lost together with a delivery to a slow receiver', () => {
  const unanswered: ServerResponse[] = [];
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.open((_, response) => void unanswered.push(response));
  });
  afterAll(() => {
    receiver.close();
  });

  it('are all repeated before the receiver answers', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const { id: endpointId } = await createEndpoint(space, receiver.url, { inFlight: 1 });
    await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', endpointId });
    const emit = (event: string, key: string): Promise<Reply> =>
      installed.app.post('/events/emit', emission(installed, { event, idempotencyKey: key }));
    dataOf(await emit('order.created', 'to-the-receiver'), 202);
    await until(() => unanswered.length === 1, PATIENCE);

    const service = platform.service('event-bus');
    const gateway = platform.service('gateway');
    service.pause();
    const keys = Array.from({ length: EMISSIONS }, (_, number) => `lost-${number}`);
    const interrupted = Promise.all(keys.map((key) => emit('order.paid', key)));
    await until(async () => (await gateway.metric('switchyard_http_requests_open')) >= EMISSIONS, PATIENCE);
    await service.crash();
    const statuses = (await interrupted).map(({ status }) => status);
    expect(statuses.every((status) => status >= 500)).toBe(true);

    await until(() => unanswered.length === 2, PATIENCE);
    // The gateway refuses those for which its queue of repeats has no room.
    const repeat = (key: string): Promise<Reply> =>
      until(async () => {
        const reply = await emit('order.paid', key);
        return reply.status === 503 ? null : reply;
      }, PATIENCE);
    const repeated = await Promise.all(keys.map(repeat));
    expect(repeated.map(({ status }) => status)).toEqual(keys.map(() => 202));
    // The same attempt still waits.
    expect([unanswered.length, receiver.open]).toEqual([2, 1]);
    unanswered[1]?.writeHead(200).end();
    await until(async () => (await deliveriesOf(space, endpointId))[0]?.status === 'DELIVERED', PATIENCE);
  }, 200_000);
});
