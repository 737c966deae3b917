import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type ReadStream, readThroughFaults } from './a-stream';
import { type Shop, installShop, listen, natsEndpoint, ok, readEndpoint, settled } from './an-endpoint';
import { type NatsAccount, closeConnections, newAccount } from './nats-account';

const platform = usePlatform();
const ENVELOPES = 10_000;
const REQUESTS = 1_000;
const STREAMS = 100;
const AT_ONCE = 50;
const STREAMS_AT_ONCE = 10;
const PATIENCE = { timeoutMs: 120_000, everyMs: 250 };

let space: TestSpace;
let shop: Shop;
let account: NatsAccount;
/** A key emits too few a minute. */
let emitters: NatsAccount[];

beforeAll(async () => {
  space = await platform.newSpace();
  shop = await installShop(space);
  ({ account } = await newAccount(platform, space));
  const settings = { scopes: ['events:emit'], limits: { applications: [shop.identifier] } };
  const made = [await newAccount(platform, space, settings), await newAccount(platform, space, settings)];
  emitters = made.map((each) => each.account);
});

afterAll(closeConnections);

/** Again until it is accepted: what takes it dies meanwhile. By turns over HTTP and by two services. */
const emitted = (number: number): Promise<string> => {
  const order = `o-${number}`;
  const emission = {
    appIdentifier: shop.identifier,
    event: 'order.created',
    payload: { order },
    idempotencyKey: order,
  };
  const by = number % 20 === 0 ? undefined : emitters[number % emitters.length];
  return until(async () => {
    const { status, body } = by
      ? await by.request('events.emit', emission, {}, 5_000)
      : await shop.app.post('/events/emit', emission);
    return status === 202 || status === 200 ? (body.data as { envelopeId: string }).envelopeId : null;
  }, PATIENCE);
};

const inserted = (datasetId: string, text: string): Promise<number> =>
  until(async () => {
    const body = { records: [{ text }] };
    const headers = { 'Idempotency-Key': `insert-${text}` };
    const answer = await account.request(`datasets.${datasetId}.insert`, body, headers, 5_000).catch(() => null);
    return answer !== null && answer.status < 300 ? answer.status : null;
  }, PATIENCE);

type Faults = Map<number, () => Promise<void>>;

/** `work` for all numbers, so many at a time; a fault runs beside it from its number on. */
async function inBatches(
  count: number,
  atOnce: number,
  work: (number: number) => Promise<unknown>,
  faults: Faults = new Map(),
): Promise<void> {
  const begun: Promise<void>[] = [];
  for (let from = 0; from < count; from += atOnce) {
    const act = faults.get(from);
    if (act) begun.push(act());
    await Promise.all(Array.from({ length: atOnce }, (_, i) => work(from + i)));
  }
  await Promise.all(begun);
}

const countOf = async (condition: string, params: unknown[]): Promise<number> => {
  const [row] = await platform.database.query<{ count: string }>(`select count(*) from ${condition}`, params);
  return Number(row?.count);
};

describe('kill -9 of gateway and event bus, and restarts of both NATS servers, under load', () => {
  it('take no envelope from a service, break no stream, and make no effect twice', async () => {
    const schema = { fields: [{ name: 'text', type: 'string' }] };
    const datasetId = ok(await space.owner.post('/datasets', { name: 'Data', schema }), 201).id as string;
    const agent = { name: 'Streams', model: 'sim-chat', systemPrompt: 'Answer.' };
    const agentId = ok(await space.owner.post('/agents', agent), 201).id as string;
    const { id, name } = await natsEndpoint(space, shop, account, { inFlight: 64, ackSeconds: 10 });
    const { received } = await listen(account, name);
    const gateway = platform.service('gateway');
    const bus = platform.service('event-bus');
    const services = platform.service('nats-services');
    const nats = platform.server('nats');

    const envelopes = new Set<string>();
    const emitting = inBatches(
      ENVELOPES,
      AT_ONCE,
      async (number) => envelopes.add(await emitted(number)),
      new Map([
        [1_000, () => gateway.crash()],
        [2_000, () => services.crash()],
        [3_000, () => bus.arm('event-bus.webhook-sent', 'kill')],
        [4_000, () => nats.crash()],
        [5_500, () => gateway.crash()],
        [6_500, () => bus.crash()],
        [7_500, () => services.crash()],
        [8_500, () => nats.crash()],
      ]),
    );
    const inserting = inBatches(REQUESTS, 10, (number) => inserted(datasetId, `r-${number}`));
    const streams: ReadStream[] = [];
    const streaming = inBatches(STREAMS, STREAMS_AT_ONCE, async () =>
      streams.push(await readThroughFaults(account, agentId, '@@delay 50\n@@tokens 60')),
    );
    await Promise.all([emitting, inserting, streaming]);

    expect(envelopes.size).toBe(ENVELOPES);
    // A reader that was away for a moment is found again within a minute.
    const deliveries = 'event_bus.endpoint_deliveries where endpoint_id = $1';
    await until(async () => (await countOf(`${deliveries} and status <> 'DELIVERED'`, [id])) === 0, PATIENCE);
    expect(await countOf(deliveries, [id])).toBe(ENVELOPES);
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([...envelopes].map((envelopeId) => `${envelopeId}.${id}`)),
    );
    // A delivery that lost its process or its connection comes again; few did.
    expect(received.length).toBeLessThan(ENVELOPES + 8 * 64);
    expect((await readEndpoint(space, id)).status).toBe('HEALTHY');
    expect(await settled(space, id, 'DELIVERED', 100)).toHaveLength(100);

    const { body } = await space.owner.post(`/datasets/${datasetId}/data/count`, {});
    expect(body.data.count).toBe(REQUESTS);

    expect(streams.flatMap(({ faults }) => faults)).toEqual([]);
    const turns = streams.map(({ turnId }) => turnId);
    const ended = `session.turns where turn_id = any($1::uuid[]) and status = 'COMPLETED'`;
    expect(await countOf(ended, [turns])).toBe(STREAMS);
    const turnsOfAgent = await platform.database.query<{ count: string }>(
      `select count(*) from session.turns where agent_id = $1`,
      [agentId],
    );
    expect(Number(turnsOfAgent[0]?.count)).toBe(STREAMS);
  }, 600_000);
});
