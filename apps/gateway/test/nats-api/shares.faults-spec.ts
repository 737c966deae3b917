import { newId } from '@switchyard/kernel';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type Shop, emit, installShop, listen, natsEndpoint, settled } from './an-endpoint';
import { type NatsAccount, closeConnections, newAccount } from './nats-account';

const platform = usePlatform();
const PATIENCE = { timeoutMs: 120_000, everyMs: 250 };
const MIB = 1024 * 1024;
/** As large as an event may be. */
const BYTES = 256 * 1024;
const OTHERS = 9;

let space: TestSpace;
let shop: Shop;
let account: NatsAccount;

beforeAll(async () => {
  space = await platform.newSpace();
  shop = await installShop(space);
  ({ account } = await newAccount(platform, space));
});

afterAll(closeConnections);

interface Queue {
  spaceId: string;
  endpointId: string;
  envelopeId: string;
}

/** The same endpoint and envelope in another Space. */
async function copied(queue: Queue, spaceId: string): Promise<Queue> {
  const copy = { spaceId, endpointId: newId(), envelopeId: newId() };
  for (const [table, from, to] of [
    ['event_bus.endpoints', queue.endpointId, copy.endpointId],
    ['event_bus.emissions', queue.envelopeId, copy.envelopeId],
  ])
    await platform.database.query(
      `insert into ${table} overriding user value select (jsonb_populate_record(row, jsonb_build_object('id', $2::text, 'space_id', $3::text))).*
         from ${table} row where id = $1::uuid`,
      [from, to, spaceId],
    );
  return copy;
}

/** So many replays for each of these endpoints, all due at once. */
const queued = (queues: readonly Queue[], count: number, bytes = BYTES): Promise<unknown> =>
  platform.database.query(
    `insert into event_bus.endpoint_deliveries (space_id, id, envelope_id, endpoint_id, event, emitted_at, replay, bytes, status, run_at)
     select m.space_id, gen_random_uuid(), m.id, q.endpoint_id, m.event, m.emitted_at, n, $4, 'PENDING', now()
       from unnest($1::uuid[], $2::uuid[]) q (endpoint_id, envelope_id)
       join event_bus.emissions m on m.id = q.envelope_id
       cross join lateral generate_series(1, $3::int) n`,
    [queues.map(({ endpointId }) => endpointId), queues.map(({ envelopeId }) => envelopeId), count, bytes],
  );

interface Leased {
  spaceId: string;
  count: number;
  bytes: number;
}

async function leased(): Promise<Leased[]> {
  const rows = await platform.database.query<{ space_id: string; count: string; bytes: string }>(
    `select space_id, count(*) as count, sum(bytes) as bytes from event_bus.endpoint_deliveries
      where worker is not null group by space_id`,
  );
  return rows.map((row) => ({ spaceId: row.space_id, count: Number(row.count), bytes: Number(row.bytes) }));
}

/** An endpoint with one delivered envelope. */
async function delivered(changes: Record<string, unknown> = {}): Promise<Queue & { name: string; end: () => void }> {
  const { id, name } = await natsEndpoint(space, shop, account, { inFlight: 256, ...changes });
  const { end } = await listen(account, name);
  const envelopeId = await emit(shop, 'first');
  await settled(space, id, 'DELIVERED');
  return { spaceId: space.id, endpointId: id, envelopeId, name, end };
}

const waiting = async ({ endpointId }: Queue): Promise<number> => {
  const [row] = await platform.database.query<{ count: string }>(
    `select count(*) as count from event_bus.endpoint_deliveries where endpoint_id = $1 and status <> 'DELIVERED'`,
    [endpointId],
  );
  return Number(row?.count);
};

describe('payloads that one process sends over NATS', () => {
  /** Deliveries that the process has claimed in the round in which these became due. */
  async function claimedOf(queues: readonly Queue[]): Promise<Leased[]> {
    const bus = platform.service('event-bus');
    await bus.arm('leases.claimed', 'pause');
    await queued(queues, 40);
    const found = await until(async () => {
      const rows = await leased();
      return rows.length >= queues.length ? rows : null;
    }, PATIENCE);
    bus.resume();
    return found;
  }

  it('are an eighth of 32 MiB for one payer', async () => {
    const own = await delivered();
    const [claimed] = await claimedOf([own]);
    expect(claimed).toEqual({ spaceId: space.id, count: 16, bytes: 4 * MIB });
    await until(async () => (await waiting(own)) === 0, PATIENCE);
    own.end();
  }, 300_000);

  it('are 32 MiB for all payers together', async () => {
    const own = await delivered();
    const others: Queue[] = [];
    for (let number = 0; number < OTHERS; number += 1) others.push(await copied(own, (await platform.newSpace()).id));
    const claimed = await claimedOf([own, ...others]);
    const bytes = claimed.reduce((sum, row) => sum + row.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(32 * MIB);
    expect(bytes).toBeGreaterThan(28 * MIB);
    // A reader of 100 MiB may be too slow for the server, and then has them minutes later.
    await platform.database.query('delete from event_bus.endpoint_deliveries where endpoint_id = any($1::uuid[])', [
      [own, ...others].map(({ endpointId }) => endpointId),
    ]);
    own.end();
  }, 300_000);
});

describe('replies that one process waits for', () => {
  afterAll(() => platform.service('event-bus').restart());

  it('are an eighth of ENDPOINT_NATS_WORKERS for one payer, and those of others are delivered', async () => {
    const bus = platform.service('event-bus');
    await bus.restart({ ENDPOINT_NATS_WORKERS: '32' });
    await bus.ready();
    const silent = await delivered({ ackSeconds: 600 });
    silent.end();
    const { received, end } = await listen(account, silent.name, () => undefined);
    await queued([silent], 20, 100);
    await until(() => received.length >= 4, PATIENCE);

    const other = await platform.newSpace();
    const theirShop = await installShop(other);
    const { account: theirs } = await newAccount(platform, other);
    const endpoint = await natsEndpoint(other, theirShop, theirs);
    const listening = await listen(theirs, endpoint.name);
    await emit(theirShop, 'a');
    await settled(other, endpoint.id, 'DELIVERED');
    expect(received).toHaveLength(4);
    expect(await leased()).toEqual([{ spaceId: space.id, count: 4, bytes: 400 }]);
    for (const { respond } of received) respond();
    await until(() => received.length >= 8, PATIENCE);
    listening.end();
    end();
  }, 300_000);
});
