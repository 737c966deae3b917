import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const MIB = 1024 * 1024;
const HEAD_END = '\r\n\r\n';

interface Conversation {
  socket: Socket;
  received(): string;
  isClosed(): boolean;
}

let owner: Client;
let space: TestSpace;
let port = 0;
const open: Conversation[] = [];

/** Sends bytes as they are on a connection of its own, and keeps it open. */
function send(lines: string): Conversation {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let closed = false;
  socket.on('data', (bytes) => (text += bytes.toString()));
  socket.on('close', () => (closed = true));
  socket.on('error', () => undefined);
  socket.write(lines);
  const conversation = { socket, received: () => text, isClosed: () => closed };
  open.push(conversation);
  return conversation;
}

const head = (path: string, bytes: number | 'chunked', extra = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${bytes === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`}\r\n${extra}\r\n`;

const signedIn = (client: Client): string => `Authorization: ${client.authorization ?? ''}\r\n`;

const answered = (conversation: Conversation): Promise<string> =>
  until(() => Promise.resolve(/^HTTP\/1\.1 (\d{3})/.exec(conversation.received())?.[1] ?? null));

/** The value of one line of the gateway's metrics. */
async function metric(line: string): Promise<number> {
  const text = await (await fetch(`${platform.state.internalUrls['gateway'] ?? ''}/metrics`)).text();
  const escaped = line.replace(/[{}"]/g, (sign) => `\\${sign}`).replace('\\}', '[^}]*\\}');
  return Number(new RegExp(`^${escaped} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
}

/** Lines of the gateway's log about a request; the last one may still be on its way. */
const logged = (requestId: string): { level: number; msg: string }[] =>
  readFileSync(path.join(platform.state.home, 'logs/gateway.log'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.includes(`"${requestId}"`))
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .filter(({ msg }) => msg !== 'answered');

describe('bytes that wait at the door', () => {
  beforeAll(async () => {
    await platform.service('gateway').restart({
      BYTES_IN_FLIGHT: String(6 * MIB),
      BYTES_IN_FLIGHT_PER_SPACE: String(3 * MIB),
      BYTES_IN_FLIGHT_ANONYMOUS: String(2 * MIB),
      BYTES_IN_FLIGHT_PER_ADDRESS: String(MIB),
      ANONYMOUS_CONNECTIONS_PER_ADDRESS: '12',
      HEADER_TIMEOUT_MS: '10000',
      LOG_LEVEL: 'debug',
    });
    space = await platform.newSpace();
    owner = space.owner;
    port = Number(new URL(owner.host).port);
  });

  afterEach(async () => {
    for (const { socket } of open.splice(0)) socket.destroy();
    await until(async () => (await metric('switchyard_bytes_in_flight{bound="total"}')) === 0);
  });

  afterAll(() => platform.service('gateway').restart());

  it('are refused without a credential before a byte of them is read', async () => {
    const conversation = send(head('/api/agents', 8 * MIB));
    expect(await answered(conversation)).toBe('401');
    expect(conversation.received().toLowerCase()).toContain('connection: close');
    expect(conversation.received().split(HEAD_END)[1]).toContain('UNAUTHORIZED');
  });

  it('are refused at once when more is declared than a body may have', async () => {
    expect(await answered(send(head('/api/agents', 11 * MIB, signedIn(owner))))).toBe('413');
    expect(await answered(send(head('/api/nowhere', 8 * MIB, signedIn(owner))))).toBe('404');
  });

  it('count against their Space, and leave the others theirs', async () => {
    const neighbour = (await platform.newSpace()).owner;
    const first = send(head('/api/agents', 2 * MIB, signedIn(owner)));
    await until(async () => (await metric('switchyard_bytes_in_flight{bound="space"}')) === 2 * MIB);
    const second = send(head('/api/agents', 2 * MIB, signedIn(owner)));
    expect(await answered(second)).toBe('429');
    expect(second.received()).toContain('RATE_LIMITED');
    expect(second.received().toLowerCase()).toMatch(
      /connection: close[^]*retry-after|retry-after[^]*connection: close/,
    );
    const large = await neighbour.post('/agents', { name: 'x'.repeat(2 * MIB) });
    expect(large.status).toBe(400);
    expect(first.isClosed()).toBe(false);
    expect(await metric('switchyard_bytes_in_flight_refused_total{bound="space"}')).toBeGreaterThan(0);
  });

  it('are counted as they arrive where no length is declared', async () => {
    const chunk = `100000\r\n${'x'.repeat(MIB)}\r\n`;
    const conversation = send(head('/api/agents', 'chunked', signedIn(owner)) + chunk.repeat(4));
    expect(await answered(conversation)).toBe('429');
    await until(() => Promise.resolve(conversation.isClosed()));
  });

  it('count against their address before a credential is known', async () => {
    const first = send(head('/api/auth/login', MIB));
    await until(async () => (await metric('switchyard_bytes_in_flight{bound="address"}')) === MIB);
    expect(await answered(send(head('/api/auth/login', 1000)))).toBe('429');
    expect((await owner.get('/auth/me')).status).toBe(200);
    first.socket.destroy();
    await until(
      async () => (await owner.as(null).post('/auth/login', { email: 'a@b.cc', password: 'x' })).status === 401,
    );
  });

  it('are not asked for with 100 Continue when they are refused', async () => {
    const refused = send(head('/api/agents', 100_000, 'Expect: 100-continue\r\n'));
    await until(() => Promise.resolve(refused.isClosed()));
    expect(refused.received()).toMatch(/^HTTP\/1\.1 401 /);
    const body = JSON.stringify({});
    const taken = send(head('/api/agents', body.length, `${signedIn(owner)}Expect: 100-continue\r\n`));
    await until(() => Promise.resolve(taken.received().startsWith('HTTP/1.1 100 ')));
    taken.socket.write(body);
    await until(() => Promise.resolve(taken.received().includes('HTTP/1.1 400 ')));
  });

  it.each([
    ['half a body', '/api/agents', 'Content-Length: 100', '{"name"'],
    ['a chunk that is none', '/api/agents', 'Transfer-Encoding: chunked', 'zz\r\n'],
    ['no body after 100 Continue', '/api/agents', 'Content-Length: 100\r\nExpect: 100-continue', ''],
    ['half a model call', '/models/v1/chat/completions', 'Content-Length: 100', '{"model"'],
    ['half a file', 'import', 'Content-Length: 100', '{"text":"x"}\n'],
  ])('are no failure of the platform when their client breaks them off: %s', async (name, route, framing, body) => {
    const schema = { fields: [{ name: 'text', type: 'string' }] };
    const dataset = (await owner.post('/datasets', { name: `Broken off: ${name}`, schema })).body.data as {
      id: string;
    };
    const id = `broken-off-${name.replaceAll(' ', '-')}`;
    const target = route === 'import' ? `/api/datasets/${dataset.id}/import` : route;
    const type = route === 'import' ? 'application/x-ndjson' : 'application/json';
    const conversation = send(
      `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${signedIn(owner)}X-Request-Id: ${id}\r\n${framing}\r\n\r\n${body}`,
    );
    conversation.socket.end();
    const lines = await until(() => {
      const own = logged(id);
      return Promise.resolve(own.length > 0 ? own : null);
    });
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toContain('20 a client broke off its body');
    expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('and connections without a credential are bounded for an address, while those with one go on', async () => {
    const silent = Array.from({ length: 12 }, () => send(''));
    await until(async () => (await metric('switchyard_connections_open{bound="address"}')) >= 12);
    // One that is too many has a moment to show a credential.
    const parallel = Array.from({ length: 24 }, () =>
      send(`GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\n${signedIn(owner)}\r\n`),
    );
    for (const each of parallel) expect(await answered(each)).toBe('200');
    // The idlest one is closed for it. The newest stays until the time for its headers is over.
    const newest = send('GET /health/live HTTP/1.1\r\nHost: localhost\r\n');
    await until(async () => (await metric('switchyard_connections_refused_total{bound="address"}')) > 0);
    await until(() => Promise.resolve([...silent, newest].every((each) => each.isClosed())));
    expect(newest.received()).toMatch(/^HTTP\/1\.1 408 /);
    for (let count = 0; count < 20; count += 1) {
      const existing = send(`GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\n${signedIn(owner)}\r\n`);
      expect(await answered(existing)).toBe('200');
    }
  });
});
