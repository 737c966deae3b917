import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Client, type ExtraGateway, type TestSpace, startGateway, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

interface Connection {
  socket: Socket;
  isClosed(): boolean;
  /** Sends one request, and gives the status of its answer as soon as that has begun. */
  ask(path: string, client: Client, headers?: Record<string, string>): Promise<number>;
}

const open: Connection[] = [];

function connection(gateway: ExtraGateway): Connection {
  const socket = connect(Number(new URL(gateway.anonymous.host).port), '127.0.0.1');
  let [received, answers, closed] = ['', 0, false];
  const noteClosed = (): void => {
    closed = true;
  };
  socket.on('data', (bytes) => (received += bytes.toString('latin1')));
  socket.on('close', noteClosed).on('error', noteClosed);
  const made: Connection = {
    socket,
    isClosed: () => closed,
    ask: async (path, { authorization }, headers = {}) => {
      const lines = Object.entries({ host: 'localhost', ...(authorization ? { authorization } : {}), ...headers });
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`);
      const before = answers;
      const statuses = await until(() => {
        const found = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
        return Promise.resolve(found.length > before || closed ? found : null);
      });
      answers = statuses.length;
      return statuses[before] ?? 0;
    },
  };
  open.push(made);
  return made;
}

const ME = '/api/auth/me';
const STREAM = '/api/activity/stream';
const openOnes = (connections: Connection[]): number => connections.filter((each) => !each.isClosed()).length;

afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy();
});

describe('Connections that a credential, a Space and a payer hold', () => {
  let gateway: ExtraGateway;
  let space: TestSpace;

  beforeAll(async () => {
    gateway = await startGateway(platform, {
      CONNECTIONS: '30',
      ANONYMOUS_CONNECTIONS_PER_ADDRESS: '4',
      CONNECTIONS_PER_CREDENTIAL: '5',
      CONNECTIONS_PER_SPACE: '8',
    });
    space = await platform.newSpace();
  }, 200_000);

  afterAll(() => gateway.stop());

  async function openFor(client: Client, count: number): Promise<Connection[]> {
    const made = [];
    for (let n = 0; n < count; n += 1) {
      const each = connection(gateway);
      expect(await each.ask(ME, client)).toBe(200);
      made.push(each);
    }
    return made;
  }

  it('over the bound of a credential, the idlest one is closed, and one with a stream goes last', async () => {
    const key = await space.key();
    const streaming = connection(gateway);
    expect(await streaming.ask(STREAM, key)).toBe(200);
    const resting = await openFor(key, 6);
    await until(() => Promise.resolve(resting[0]?.isClosed() && resting[1]?.isClosed()));
    expect([streaming.isClosed(), openOnes(resting)]).toEqual([false, 4]);
    expect(await resting[2]?.ask(ME, key)).toBe(200);
    await openFor(key, 1);
    await until(() => Promise.resolve(resting[3]?.isClosed()));
    expect([resting[2]?.isClosed(), streaming.isClosed()]).toEqual([false, false]);
  });

  it('over the bound of a Space, the idlest one of the credential that holds most is closed', async () => {
    const keys = [await space.key(), await space.key(), await space.key()];
    const [large, middle] = [await openFor(keys[0]!, 5), await openFor(keys[1]!, 3)];
    const [small] = await openFor(keys[2]!, 1);
    await until(() => Promise.resolve(large[0]?.isClosed()));
    expect([openOnes(large), openOnes(middle), small?.isClosed()]).toEqual([4, 3, false]);
  });

  it('count for the credential of their latest request', async () => {
    const [first, second] = [await space.key(), await space.key()];
    const moved = await openFor(first, 3);
    for (const each of moved) expect(await each.ask(ME, second)).toBe(200);
    const others = await openFor(first, 5);
    expect([openOnes(moved), openOnes(others)]).toEqual([3, 5]);
  });

  it('of refused requests stay those of an address', async () => {
    const limited = await space.key({ limits: { requestsPerMinute: 1 } });
    const existing = connection(gateway);
    expect(await existing.ask(ME, limited)).toBe(200);
    const refused: Connection[] = [];
    for (let n = 0; n < 8; n += 1) {
      const each = connection(gateway);
      expect(await each.ask(ME, limited)).toBe(429);
      refused.push(each);
    }
    // The address may have others: the ones that asked whether this gateway is ready.
    await until(() => Promise.resolve(openOnes(refused) <= 4));
    expect(existing.isClosed()).toBe(false);
  });

  it('of an address without a credential are closed from the idlest on: a page that is being loaded stays', async () => {
    const anonymous: Connection[] = [];
    for (let n = 0; n < 8; n += 1) {
      const each = connection(gateway);
      expect(await each.ask('/health/live', gateway.anonymous)).toBe(200);
      anonymous.push(each);
    }
    await until(() => Promise.resolve(openOnes(anonymous) <= 4));
    expect(anonymous.map((each) => each.isClosed())).toEqual([true, true, true, true, false, false, false, false]);
  });

  it('over a third of the process, give way to those of others when it is full', async () => {
    const pending: Connection[] = [];
    for (let n = 0; n < 4; n += 1) pending.push(...(await openFor(await space.key(), 2)));
    // Without a payer of its own, a Space may not hold more than its own bound: so two of them share one here.
    const spaces = [await platform.newSpace(), await platform.newSpace()];
    for (const { id } of spaces)
      await platform.database.query(`update key.spaces set payer_kind = 'user', payer_id = $2 where id = $1`, [
        id,
        '018f0000-0000-7000-8000-000000000001',
      ]);
    const shared: Connection[] = [];
    for (const { key } of spaces.map((each) => ({ key: () => each.key() })))
      for (let n = 0; n < 4; n += 1) shared.push(...(await openFor(await key(), 2)));
    const victim = await platform.newSpace();
    const others = [...(await openFor(gateway.at(victim.owner), 5)), ...(await openFor(await victim.key(), 3))];
    expect([openOnes(others), openOnes(pending)]).toEqual([8, 8]);
    await until(() => Promise.resolve(openOnes(shared) < 16));
  });
});

describe('Connections of a payer over a third of a process', () => {
  const TOTAL = 60;
  const MOST = TOTAL / 2;
  let gateway: ExtraGateway;

  beforeAll(async () => {
    gateway = await startGateway(platform, { CONNECTIONS: String(TOTAL) });
  }, 200_000);

  afterAll(() => gateway.stop());

  async function openOf(count: number, path = ME): Promise<Connection[]> {
    const key = await (await platform.newSpace()).key();
    const made = [];
    for (let n = 0; n < count; n += 1) {
      const each = connection(gateway);
      expect(await each.ask(path, key)).toBe(200);
      made.push(each);
    }
    return made;
  }

  it('give the idlest of them to others before the process is full', async () => {
    const resting = await openOf(MOST);
    const others = [...(await openOf(9)), ...(await openOf(9)), ...(await openOf(9))];
    await until(() => Promise.resolve(resting[0]?.isClosed()));
    expect([resting.at(-1)?.isClosed(), openOnes(others)]).toEqual([false, others.length]);
  });

  it('are closed for those of others when it is full, also while they have streams', async () => {
    const streaming = await openOf(MOST, STREAM);
    const others = [...(await openOf(16)), ...(await openOf(17))];
    await until(() => Promise.resolve(streaming[0]?.isClosed()));
    expect(openOnes(others)).toBe(others.length);
  });
});

describe('Behind a proxy, connections', () => {
  let gateway: ExtraGateway;

  beforeAll(async () => {
    gateway = await startGateway(platform, { TRUSTED_PROXIES: '1', CONNECTIONS_PER_CREDENTIAL: '3' });
  }, 200_000);

  afterAll(() => gateway.stop());

  it('are not counted by credential, and open requests are', async () => {
    const key = await (await platform.newSpace()).key();
    const from = { 'x-forwarded-for': '203.0.113.60' };
    const all: Connection[] = [];
    for (let n = 0; n < 5; n += 1) {
      const each = connection(gateway);
      expect(await each.ask(ME, key, from)).toBe(200);
      all.push(each);
    }
    const statuses = [];
    for (const each of all.slice(0, 4)) statuses.push(await each.ask(STREAM, key, from));
    expect([statuses, openOnes(all)]).toEqual([[200, 200, 200, 429], 5]);
    all[0]?.socket.destroy();
    await until(async () => (await all[4]?.ask(ME, key, from)) === 200);
  });
});

describe('A gateway that is stopped', () => {
  const agent = new Agent({ keepAlive: true });
  let gateway: ExtraGateway;

  beforeAll(async () => {
    // So long that only a connection which it closes itself lets it end.
    gateway = await startGateway(platform, { SHUTDOWN_GRACE_MS: '600000' });
  }, 200_000);

  afterAll(async () => {
    agent.destroy();
    await gateway.stop();
  });

  it('sends a stream to its end, and then closes the connection that its client would keep', async () => {
    const { owner } = await platform.newSpace();
    const call = request(`${gateway.anonymous.host}/models/v1/chat/completions`, {
      method: 'POST',
      agent,
      headers: { authorization: owner.authorization ?? '', 'content-type': 'application/json' },
    });
    const messages = [{ role: 'user', content: '@@delay 20\n@@tokens 100' }];
    call.end(JSON.stringify({ model: 'sim-chat', messages, stream: true, max_tokens: 200 }));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const stopped = gateway.stop('SIGTERM');
    expect(await text(response)).toMatch(/data: \[DONE\]\n\n$/);
    await stopped;
    // Before it counts as idle for too long, after 65 seconds.
  }, 45_000);
});
