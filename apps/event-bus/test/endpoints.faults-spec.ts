import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, emission, install } from './an-application';
import { createEndpoint, readEndpoint } from './an-endpoint';
import { Receiver } from './receiver';
import { subscribe } from './watching';

const platform = usePlatform();
const ENVELOPES = 1_500;
const AT_ONCE = 25;

let space: TestSpace;
let installed: InstalledApplication;
const receivers: Receiver[] = [];
const listen = async (...args: Parameters<typeof Receiver.open>): Promise<Receiver> => {
  const receiver = await Receiver.open(...args);
  receivers.push(receiver);
  return receiver;
};
afterAll(() => {
  for (const receiver of receivers) receiver.close();
});

/**
 * Again until it is accepted: the service dies while events come. Emissions that were lost with it are repeated one after
 * the other, which takes over a minute on a machine that also runs three other platforms.
 */
const emit = (order: string): Promise<string> =>
  until(
    async () => {
      const event = emission(installed, { payload: { order }, idempotencyKey: order });
      const { status, body } = await installed.app.post('/events/emit', event);
      return status === 202 || status === 200 ? (body.data as { envelopeId: string }).envelopeId : null;
    },
    { timeoutMs: 180_000 },
  );

describe('receivers of all kinds side by side, and kill -9 of the event bus', () => {
  it('take from a good one not a single event', async () => {
    space = await platform.newSpace();
    installed = await install(space);
    const good = await listen();
    const dead = await listen();
    const slow = await listen((_, response) => void setTimeout(() => response.writeHead(200).end(), 10_000));
    const lying = await listen((_, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write('x'.repeat(5_000));
      setTimeout(() => response.destroy(), 5);
    });
    const redirecting = await listen((_, response) => response.writeHead(307, { location: good.url }).end());
    const hidden = await listen(undefined, '127.0.0.1');
    const made = {
      good: await createEndpoint(space, good.url, { inFlight: 16 }),
      dead: await createEndpoint(space, dead.url),
      slow: await createEndpoint(space, slow.url, { inFlight: 4 }),
      lying: await createEndpoint(space, lying.url),
      redirecting: await createEndpoint(space, redirecting.url),
      hidden: await createEndpoint(space, 'https://localhost/'),
    };
    await platform.database.query('update event_bus.endpoints set url = $2 where id = $1', [
      made.hidden.id,
      hidden.url,
    ]);
    dead.close();
    for (const { id } of Object.values(made))
      await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', endpointId: id });

    const service = platform.service('event-bus');
    const envelopes = new Set<string>();
    const kills = [
      () => service.arm('event-bus.webhook-sent', 'kill'),
      () => service.arm('event-bus.dispatched', 'kill'),
      () => service.crash(),
    ];
    for (let at = 0; at < ENVELOPES; at += AT_ONCE) {
      const orders = Array.from({ length: AT_ONCE }, (_, i) => `o-${at + i}`);
      for (const envelopeId of await Promise.all(orders.map(emit))) envelopes.add(envelopeId);
      if (at > 0 && at % 375 === 0) await kills.shift()?.();
    }
    expect(envelopes.size).toBe(ENVELOPES);

    const idsAt = ({ received }: Receiver): Set<string> =>
      new Set(received.map(({ headers }) => String(headers['webhook-id'])));
    await until(() => idsAt(good).size === ENVELOPES, { timeoutMs: 120_000 });
    expect(idsAt(good)).toEqual(new Set([...envelopes].map((id) => `${id}.${made.good.id}`)));
    await until(() => idsAt(lying).size === ENVELOPES, { timeoutMs: 120_000 });
    // Deliveries of a process that died are made again with the same id; there are few.
    expect(good.received.length).toBeLessThan(ENVELOPES + 100);
    const undelivered = await until(
      async () => {
        const [row] = await platform.database.query<{ count: string }>(
          `select count(*) from event_bus.endpoint_deliveries where endpoint_id = any($1::uuid[]) and status <> 'DELIVERED'`,
          [[made.good.id, made.lying.id]],
        );
        return row?.count === '0' ? row : null;
      },
      { timeoutMs: 120_000 },
    );
    expect(undelivered.count).toBe('0');
    expect((await readEndpoint(space.owner, made.good.id)).status).toBe('HEALTHY');
    for (const [name, reason] of [
      ['dead', 'UNREACHABLE'],
      ['redirecting', 'REDIRECT'],
      ['hidden', 'ADDRESS_NOT_ALLOWED'],
    ] as const)
      expect(await readEndpoint(space.owner, made[name].id)).toMatchObject({
        status: 'FAILING',
        failingReason: reason,
      });
    expect(hidden.received).toHaveLength(0);
    expect(slow.most).toBeLessThanOrEqual(8);
    for (const { id } of Object.values(made)) await space.owner.delete(`/events/endpoints/${id}`);
  }, 900_000);
});
