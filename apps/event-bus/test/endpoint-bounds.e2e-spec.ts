import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, install } from './an-application';
import { type Endpoint, createEndpoint, deliveriesOf, readEndpoint } from './an-endpoint';
import { Receiver, withStatus } from './receiver';
import { subscribe } from './watching';

const platform = usePlatform();
const MIB = 1024 * 1024;
/** Deliveries of one process, and the part of them that a payer has alone. */
const ALONE = 160;

const receivers: Receiver[] = [];
const listen = async (...args: Parameters<typeof Receiver.open>): Promise<Receiver> => {
  const receiver = await Receiver.open(...args);
  receivers.push(receiver);
  return receiver;
};
afterAll(() => {
  for (const receiver of receivers) receiver.close();
});

interface Sender {
  space: TestSpace;
  installed: InstalledApplication;
}

const newSender = async (): Promise<Sender> => {
  const space = await platform.newSpace();
  return { space, installed: await install(space) };
};

let sender: Sender;
beforeEach(async () => {
  sender = await newSender();
});

const emit = async ({ installed }: Sender): Promise<string> =>
  dataOf(await installed.app.post('/events/emit', emission(installed)), 202).envelopeId as string;

async function subscribed(url: string, changes: Record<string, unknown> = {}, to = sender): Promise<Endpoint> {
  const endpoint = await createEndpoint(to.space, url, changes);
  await subscribe(to.space, {
    appIdentifier: to.installed.identifier,
    event: 'order.created',
    endpointId: endpoint.id,
  });
  return endpoint;
}

/** An envelope that no endpoint has received. */
async function anEnvelope(from = sender): Promise<string> {
  const unused = await subscribed('https://example.com/', { active: false }, from);
  const envelopeId = await emit(from);
  await until(async () => (await deliveriesOf(from.space, unused.id)).length === 1);
  return envelopeId;
}

interface Queued {
  envelopeId: string;
  endpointIds: readonly string[];
  count?: number;
  bytes?: number;
  wait?: string;
}

/** Replays of an envelope, as many as `count` for each endpoint, all at once. */
const queue = ({ envelopeId, endpointIds, count = 1, bytes = 100, wait = '0' }: Queued): Promise<unknown> =>
  platform.database.query(
    `insert into event_bus.endpoint_deliveries (space_id, id, envelope_id, endpoint_id, event, emitted_at, replay, bytes, status, run_at)
     select m.space_id, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, m.id, e.id, m.event, m.emitted_at,
            n, $4, 'PENDING', now() + $5::interval
       from event_bus.emissions m
       join (select id, (row_number() over (order by id))::int as place from unnest($2::uuid[]) id) e on true
       cross join lateral generate_series((e.place - 1) * $3::int + 1, e.place * $3::int) n
      where m.id = $1`,
    [envelopeId, endpointIds, count, bytes, wait],
  );

const counted = async (where: string, parameters: unknown[]): Promise<number> => {
  const [row] = await platform.database.query<{ count: number }>(
    `select count(*)::int as count from event_bus.endpoint_deliveries where ${where}`,
    parameters,
  );
  return row?.count ?? 0;
};
const leased = (spaceIds: readonly string[]): Promise<number> =>
  counted('worker is not null and space_id = any($1::uuid[])', [spaceIds]);

describe('the payloads that wait for an endpoint', () => {
  it('are 64 MiB: the oldest fail, and the Space emits all the same', async () => {
    const envelopeId = await anEnvelope();
    const receiver = await listen();
    const { id } = await subscribed(receiver.url);
    await queue({ envelopeId, endpointIds: [id], count: 70, bytes: MIB, wait: '1 day' });
    const from = new Date().toISOString();
    dataOf(await sender.space.owner.post(`/events/endpoints/${id}/replay`, { from }), 202);
    const ended = `endpoint_id = $1 and status = 'FAILED' and error = 'ENDPOINT_BACKLOG'`;
    await until(async () => (await counted(ended, [id])) >= 6);
    expect(await counted(ended, [id])).toBe(6);
    expect(await counted(`${ended} and replay <= 6`, [id])).toBe(6);
    // All that waits is more than the emissions of a Space may be.
    await emit(sender);
    await until(() => receiver.received.length === 1);
  });
});

describe('endpoints without an answer', () => {
  it('have one share for all Spaces of a payer, and others receive what is theirs', async () => {
    const silent = await listen(() => undefined);
    const other = await newSender();
    const operator = await platform.operator();
    // Announced: the event bus has seen both Spaces before.
    for (const { space } of [sender, other])
      dataOf(await operator.patch(`/operator/spaces/${space.id}`, { payer: sender.space.id }), 200);
    for (const each of [sender, other]) {
      const endpointIds = [];
      for (let at = 0; at < 3; at += 1)
        endpointIds.push((await createEndpoint(each.space, silent.url, { inFlight: 64 })).id);
      await queue({ envelopeId: await anEnvelope(each), endpointIds, count: 64 });
    }
    const spaces = [sender.space.id, other.space.id];
    await until(async () => (await leased(spaces)) >= ALONE);
    const third = await newSender();
    const good = await listen();
    await subscribed(good.url, {}, third);
    await emit(third);
    await until(() => good.received.length === 1);
    expect(await leased(spaces)).toBeLessThanOrEqual(ALONE);
    expect(silent.most).toBeLessThanOrEqual(ALONE);
    silent.close();
  });

  it('get one delivery at a time after a minute', async () => {
    const silent = await listen(() => undefined);
    const { id } = await createEndpoint(sender.space, silent.url, { inFlight: 8 });
    await platform.database.query(
      `update event_bus.endpoints set status = 'FAILING', failing_reason = 'TIMEOUT', failing_since = now() - interval '2 minutes' where id = $1`,
      [id],
    );
    await queue({ envelopeId: await anEnvelope(), endpointIds: [id], count: 8 });
    await until(() => silent.open === 1);
    expect(await leased([sender.space.id])).toBe(1);
    expect(silent.most).toBe(1);
    silent.close();
  });
});

describe('a delivery that failed', () => {
  const waitSeconds = async (endpointId: string): Promise<number> => {
    const [row] = await platform.database.query<{ wait: string }>(
      'select extract(epoch from run_at - created_at) as wait from event_bus.endpoint_deliveries where endpoint_id = $1',
      [endpointId],
    );
    return Number(row?.wait);
  };
  const attemptsOf = async (id: string): Promise<number> =>
    (await deliveriesOf(sender.space, id))[0]?.attemptCount ?? 0;

  it.each([
    ['an hour', 3_600, 3_600],
    ['longer than a day', 90 * 86_400, 86_400],
  ])('waits as long as Retry-After says, a day at most: %s', async (_, header, expected) => {
    const receiver = await listen((__, response) => response.writeHead(503, { 'retry-after': String(header) }).end());
    const { id } = await subscribed(receiver.url);
    await emit(sender);
    await until(async () => (await attemptsOf(id)) === 1);
    const wait = await waitSeconds(id);
    expect(wait).toBeGreaterThanOrEqual(expected);
    expect(wait).toBeLessThan(expected + 600);
    await sender.space.owner.delete(`/events/endpoints/${id}`);
  });

  it('ends after nine attempts, of which the last ten are listed, and its endpoint goes on', async () => {
    const receiver = await listen(withStatus(() => 503));
    const { id } = await subscribed(receiver.url);
    await emit(sender);
    await until(async () => (await attemptsOf(id)) === 1);
    // By an operator, the delivery was made again from the beginning.
    await platform.database.query(
      `update event_bus.endpoint_deliveries set attempt_count = 8, run_at = now(),
         attempts = to_jsonb(array_fill(attempts -> 0, array[10])) where endpoint_id = $1`,
      [id],
    );
    const delivery = await until(async () => {
      const [found] = await deliveriesOf(sender.space, id);
      return found?.attemptCount === 9 ? found : null;
    });
    expect(delivery).toMatchObject({ status: 'FAILED', error: null });
    expect(delivery.attempts).toHaveLength(10);
    expect(await readEndpoint(sender.space.owner, id)).toMatchObject({ status: 'FAILING' });
  });

  it('does not disable its endpoint before five days', async () => {
    const receiver = await listen(withStatus(() => 503));
    const { id } = await subscribed(receiver.url);
    await emit(sender);
    await until(async () => (await attemptsOf(id)) === 1);
    await platform.database.query(
      `update event_bus.endpoints set failing_since = now() - interval '119 hours' where id = $1`,
      [id],
    );
    await platform.database.query('update event_bus.endpoint_deliveries set run_at = now() where endpoint_id = $1', [
      id,
    ]);
    await until(async () => (await attemptsOf(id)) === 2);
    expect(await readEndpoint(sender.space.owner, id)).toMatchObject({ status: 'FAILING' });
    await sender.space.owner.delete(`/events/endpoints/${id}`);
  });
});

describe('deliveries of a suspended Space', () => {
  it('wait until it is active again', async () => {
    const [waiting, open] = [await listen(), await listen()];
    const other = await newSender();
    const { id } = await createEndpoint(sender.space, waiting.url);
    const envelopeId = await anEnvelope();
    const operator = `/operator/spaces/${sender.space.id}`;
    dataOf(await sender.space.operator.post(`${operator}/suspend`, { reason: 'a test' }), 200);
    await queue({ envelopeId, endpointIds: [id] });
    await subscribed(open.url, {}, other);
    for (let count = 1; count <= 3; count += 1) {
      await emit(other);
      await until(() => open.received.length === count);
    }
    expect(waiting.received).toHaveLength(0);
    dataOf(await sender.space.operator.post(`${operator}/resume`, {}), 200);
    await until(() => waiting.received.length === 1);
  });
});
