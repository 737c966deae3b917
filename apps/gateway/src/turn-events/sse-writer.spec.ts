import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { Metrics } from '@switchyard/service';
import { UnreadResponses } from '../limits/unread-responses';
import { SseWriter } from './sse-writer';

/** Only the clock is not the real one. */
describe('an event stream', () => {
  let server: Server;
  let client: IncomingMessage;
  let writer: SseWriter;
  let received = '';

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    received = '';
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    const [, raw] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    writer = new SseWriter(raw, { 'x-request-id': 'r' }, unreadAnswers());
    [client] = (await once(request, 'response')) as [IncomingMessage];
    client.on('data', (chunk: Buffer) => (received += chunk.toString()));
  });

  afterEach(async () => {
    writer.end();
    if (!client.complete) await once(client, 'end');
    server.close();
    jest.useRealTimers();
  });

  const arrived = async (text: string): Promise<void> => {
    while (received !== text) await once(client, 'data');
  };

  it('says what it is, and nothing that would hold it back', () => {
    expect(client.statusCode).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-request-id': 'r',
    });
  });

  it('sends a comment for every fifteen seconds in which there is nothing to say', async () => {
    jest.advanceTimersByTime(14_900);
    await writer.write('id: 1\ndata: {}\n\n');
    await arrived('id: 1\ndata: {}\n\n');
    jest.advanceTimersByTime(200);
    jest.advanceTimersByTime(15_000);
    await arrived('id: 1\ndata: {}\n\n: heartbeat\n\n');
    jest.advanceTimersByTime(15_000);
    await arrived('id: 1\ndata: {}\n\n: heartbeat\n\n: heartbeat\n\n');
  });

  it('sends the first comment fifteen seconds after the last frame', async () => {
    jest.advanceTimersByTime(5_000);
    await writer.write('id: 1\ndata: {}\n\n');
    await arrived('id: 1\ndata: {}\n\n');
    jest.advanceTimersByTime(15_000);
    await arrived('id: 1\ndata: {}\n\n: heartbeat\n\n');
  });

  it('says nothing any more when it has ended', async () => {
    writer.end('id: 1\ndata: {}\n\n');
    jest.advanceTimersByTime(60_000);
    await once(client, 'end');
    expect(received).toBe('id: 1\ndata: {}\n\n');
    expect(await writer.write('more')).toBe(false);
  });

  it('cuts off a reader that lets more wait than its Space may leave unread', async () => {
    const unread = unreadAnswers();
    const raws = [heldRaw(), heldRaw()];
    for (const { socket } of raws) unread.watch(socket as never, 'space');
    const [slow, slower] = raws.map((raw) => new SseWriter(raw, {}, unread));
    const writing = slow?.write('x'.repeat(400_000));
    expect(await slower?.write('y'.repeat(700_000))).toBe(false);
    expect([slow?.isOpen, slower?.isOpen]).toEqual([true, false]);
    raws[0]?.destroy();
    expect(await writing).toBe(false);
  });
});

const unreadAnswers = (): UnreadResponses =>
  new UnreadResponses(
    { UNREAD_BYTES: 1e9, UNREAD_BYTES_PER_SPACE: 1_000_000, UNREAD_STALL_MS: 30_000 },
    new Metrics('gateway'),
  );

/** A response whose reader takes nothing. */
function heldRaw(): ServerResponse {
  return new (class extends Writable {
    socket = { cork: () => undefined, uncork: () => undefined, setNoDelay: () => undefined, writableLength: 0 };
    req = { socket: this.socket };
    writeHead = (): void => undefined;
    flushHeaders = (): void => undefined;
    override _write = (): void => undefined;
  })() as never;
}
