import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type Shop, installShop, listen, natsEndpoint, ok, readEndpoint, settled } from './an-endpoint';
import { type NatsAccount, closeConnections, newAccount } from './nats-account';

const platform = usePlatform();
const ENVELOPES = 2_000;
const REQUESTS = 500;
const AT_ONCE = 25;
const PATIENCE = { timeoutMs: 90_000 };

let space: TestSpace;
let shop: Shop;
let account: NatsAccount;

beforeAll(async () => {
  space = await platform.newSpace();
  shop = await installShop(space);
  ({ account } = await newAccount(platform, space, { limits: { requestsPerMinute: 6000 } }));
});

afterAll(closeConnections);

/** Again until it is accepted: what takes it dies meanwhile. */
const emitted = (order: string): Promise<string> =>
  until(async () => {
    const emission = {
      appIdentifier: shop.identifier,
      event: 'order.created',
      payload: { order },
      idempotencyKey: order,
    };
    const { status, body } = await shop.app.post('/events/emit', emission);
    return status === 202 || status === 200 ? (body.data as { envelopeId: string }).envelopeId : null;
  }, PATIENCE);

const inserted = (datasetId: string, text: string): Promise<number> =>
  until(async () => {
    const body = { records: [{ text }] };
    const headers = { 'Idempotency-Key': `insert-${text}` };
    const answer = await account.request(`datasets.${datasetId}.insert`, body, headers, 5_000).catch(() => null);
    return answer !== null && answer.status < 300 ? answer.status : null;
  }, PATIENCE);

/** `work` for all numbers, so many at a time; `at` runs beside it at its number. */
async function inBatches(
  count: number,
  work: (number: number) => Promise<unknown>,
  at: Map<number, () => Promise<void>>,
) {
  const faults: Promise<void>[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const act = at.get(from);
    if (act) faults.push(act());
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => work(from + i)));
  }
  await Promise.all(faults);
}

describe('kill -9 of a gateway and of the event bus, and restarts of the NATS server of services', () => {
  it('take no envelope from a service, and make no effect twice', async () => {
    const schema = { fields: [{ name: 'text', type: 'string' }] };
    const datasetId = ok(await space.owner.post('/datasets', { name: 'Data', schema }), 201).id as string;
    const { id, name } = await natsEndpoint(space, shop, account, { inFlight: 64, ackSeconds: 10 });
    const { received } = await listen(account, name);
    const [gateway, bus, nats] = ['gateway', 'event-bus', 'nats-services'].map((each) => platform.service(each));
    const envelopes = new Set<string>();
    const emitting = inBatches(
      ENVELOPES,
      async (number) => envelopes.add(await emitted(`o-${number}`)),
      new Map([
        [300, async () => gateway?.crash()],
        [700, async () => nats?.crash()],
        [1_100, async () => bus?.arm('event-bus.webhook-sent', 'kill')],
        [1_500, async () => gateway?.crash()],
        [1_800, async () => bus?.crash()],
      ]),
    );
    const inserting = inBatches(
      REQUESTS,
      (number) => inserted(datasetId, `r-${number}`),
      new Map([[250, async () => nats?.crash()]]),
    );
    await Promise.all([emitting, inserting]);
    expect(envelopes.size).toBe(ENVELOPES);
    // A reader that was away for a moment is found again within a minute.
    const waiting = async (): Promise<number> => {
      const [row] = await platform.database.query<{ count: string }>(
        `select count(*) from event_bus.endpoint_deliveries where endpoint_id = $1 and status <> 'DELIVERED'`,
        [id],
      );
      return Number(row?.count);
    };
    await until(async () => (await waiting()) === 0, PATIENCE);
    const [row] = await platform.database.query<{ count: string }>(
      'select count(*) from event_bus.endpoint_deliveries where endpoint_id = $1',
      [id],
    );
    expect(Number(row?.count)).toBe(ENVELOPES);
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([...envelopes].map((envelopeId) => `${envelopeId}.${id}`)),
    );
    // A delivery that lost its process or its connection comes again; few did.
    expect(received.length).toBeLessThan(ENVELOPES + 5 * 64);
    const { body } = await space.owner.post(`/datasets/${datasetId}/data/count`, {});
    expect(body.data.count).toBe(REQUESTS);
    expect((await readEndpoint(space, id)).status).toBe('HEALTHY');
    expect(await settled(space, id, 'DELIVERED', 100)).toHaveLength(100);
  }, 400_000);
});
