import { connect, type Socket } from 'node:net';
import { type Client, type ExtraGateway, startGateway, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const MIB = 1024 * 1024;

describe('An export that its client does not read', () => {
  let gateway: ExtraGateway;
  let owner: Client;
  let path: string;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    gateway = await startGateway(platform, { UNREAD_BYTES_PER_SPACE: '65536', UNREAD_STALL_MS: '3000' });
    ({ owner } = await platform.newSpace());
    const created = await owner.post('/datasets', {
      name: 'Large',
      schema: { fields: [{ name: 'text', type: 'string' }] },
    });
    path = `/datasets/${created.body.data.id}`;
    const records = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(60_000) }));
    for (let n = 0; n < 4; n += 1)
      expect((await owner.post(`${path}/data/insert`, { records })).status).toBeLessThan(300);
  }, 200_000);

  afterAll(() => gateway.stop());

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const exporting = (): Socket => {
    const socket = connect(Number(new URL(gateway.anonymous.host).port), '127.0.0.1').pause();
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(
      `GET /api${path}/export HTTP/1.1\r\nhost: localhost\r\nauthorization: ${owner.authorization ?? ''}\r\n\r\n`,
    );
    return socket;
  };

  it('counts for its Space until its connection is closed, and for no other', async () => {
    const other = gateway.at((await platform.newSpace()).owner);
    const here = gateway.at(owner);
    const socket = exporting();
    const refused = await until(async () => {
      const reply = await here.get('/auth/me');
      return reply.status === 200 ? null : reply;
    });
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await other.get('/auth/me')).status).toBe(200);
    await until(async () => (await here.get('/auth/me')).status === 200);
    let received = 0;
    socket.on('data', (bytes: Buffer) => (received += bytes.length));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    expect(received).toBeLessThan(20 * MIB);
  });
});
