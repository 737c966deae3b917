import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Metrics } from '@switchyard/service';
import { until } from '@switchyard/testing';
import { UnreadResponses } from './unread-responses';

const MIB = 1024 * 1024;
/** More than the kernel buffers of an unread response. */
const LARGE = 16 * MIB;

describe('Answers that their client does not read', () => {
  let unread: UnreadResponses;
  let server: Server;
  let clients: Socket[];

  const boundedAt = (stallMs: number): UnreadResponses => {
    const made = new UnreadResponses(
      { UNREAD_BYTES: 40 * MIB, UNREAD_BYTES_PER_SPACE: 20 * MIB, UNREAD_STALL_MS: stallMs },
      new Metrics('gateway'),
    );
    made.lookWhile(() => true);
    return made;
  };

  beforeEach(async () => {
    unread = boundedAt(1000);
    clients = [];
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.on('connection', (socket: Socket) => {
      unread.watch(socket, 'address:here');
      socket.once('close', () => unread.remove(socket));
    });
  });

  afterEach(() => {
    for (const client of clients) client.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** A client that asks and reads nothing. */
  async function ask(owner: string): Promise<{ raw: ServerResponse; client: Socket }> {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    clients.push(client);
    client.on('error', () => undefined);
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const [request, raw] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    unread.checkAndOwn(request.socket, owner);
    return { raw, client };
  }

  async function leaveUnread(owner: string): Promise<{ raw: ServerResponse; client: Socket }> {
    const request = await ask(owner);
    unread.take(request.raw, LARGE, true);
    request.raw.end(Buffer.alloc(LARGE));
    return request;
  }

  it('are refused over the bound of their payer, and the next one of another payer is not', async () => {
    const { client, raw: first } = await leaveUnread('one');
    const { raw } = await ask('one');
    expect(() => {
      unread.take(raw, LARGE, true);
    }).toThrow('Too many bytes of answers to your Space are not read');
    const other = await ask('two');
    unread.take(other.raw, LARGE, true);
    client.resume();
    await once(first, 'finish');
    unread.take(raw, LARGE, true);
  });

  it('keep further requests of their payer out, until they are read', async () => {
    const { client } = await leaveUnread('one');
    const { raw } = await ask('one');
    unread.take(raw, LARGE, false);
    await expect(ask('one')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await ask('two');
    client.resume();
    await until(async () =>
      ask('one').then(
        () => true,
        () => false,
      ),
    );
  });

  it('over the bound of the process keep out those who hold some of them', async () => {
    for (const owner of ['one', 'two', 'three']) {
      const { raw } = await ask(owner);
      unread.take(raw, LARGE, false);
      raw.end(Buffer.alloc(LARGE));
    }
    await expect(ask('one')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await ask('four');
  });

  it('count while they wait for an earlier answer of their connection, of any size, until they are read', async () => {
    const { raw: first, client } = await ask('one');
    first.flushHeaders();
    const pipelined: ServerResponse[] = [];
    server.on('request', (_request: IncomingMessage, raw: ServerResponse) => pipelined.push(raw));
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
    await until(() => Promise.resolve(pipelined.length === 3));
    const [large, small, late] = pipelined as [ServerResponse, ServerResponse, ServerResponse];
    unread.take(large, LARGE, true);
    large.end(Buffer.alloc(LARGE));
    unread.take(small, 4 * MIB - 1_000, true);
    small.end(Buffer.alloc(4 * MIB - 1_000));
    // A stream of the connection that is behind, and a look at the connection, forget nothing of that.
    first.write('x');
    expect(unread.mayWait(first)).toBe(true);
    unread.measure(first.socket);
    expect(() => {
      unread.take(late, 2_000, true);
    }).toThrow('Too many bytes of answers to your Space are not read');
    first.end();
    client.resume();
    await once(small, 'finish');
    unread.take(late, 2 * MIB, true);
    late.end();
  });

  it('of which the kernel takes nothing more are given up with their connection', async () => {
    unread.begin();
    const { raw, client } = await leaveUnread('one');
    await once(raw, 'close');
    expect(client.bytesRead).toBeLessThan(LARGE);
    await ask('one');
  });

  it('are not given up while their client reads, however slowly', async () => {
    // It reads for five seconds or more, with pauses that no busy machine makes as long as a stall.
    unread = boundedAt(4000);
    unread.begin();
    const { raw, client } = await leaveUnread('one');
    let received = 0;
    client.on('data', (bytes: Buffer) => {
      received += bytes.length;
      client.pause();
      setTimeout(() => client.resume(), 20);
    });
    client.resume();
    await once(raw, 'finish');
    await until(() => Promise.resolve(received > LARGE));
  }, 60_000);
});
