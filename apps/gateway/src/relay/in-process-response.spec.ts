import { AsyncLocalStorage } from 'node:async_hooks';
import { type Server, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { AppError } from '@switchyard/kernel';
import { until } from '@switchyard/testing';
import { InProcessResponse } from './in-process-response';
import type { RelayedAnswer } from './relay-response-stream';

const MIB = 1024 * 1024;
const STREAM = { status: 200, headers: { 'content-type': 'text/event-stream' } };
const here = AsyncLocalStorage.snapshot();

let server: Server;
let raw: ServerResponse;
let client: Socket;
let received: string;
let refusal: unknown;
let aborts: number;
let answer: InProcessResponse;

/** The client reads nothing before `client.resume()`. */
beforeEach(async () => {
  const arrival = new Promise<void>((resolve) => {
    server = createServer((_request, response) => {
      raw = response;
      resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  received = '';
  client.on('data', (bytes) => (received += bytes.toString('latin1')));
  client.pause();
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await arrival;
  refusal = undefined;
  aborts = 0;
});
afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const begin = (): Promise<RelayedAnswer> =>
  new Promise((resolve) => {
    answer = new InProcessResponse(
      resolve,
      (error) => {
        refusal = error;
      },
      here,
    );
    answer.follow({ abort: () => (aborts += 1) });
  });

const bytes = (text: string): Buffer => Buffer.from(text);
const settledOf = (waiting: Promise<void> | undefined): (() => boolean) => {
  let isSettled = false;
  void waiting?.then(() => (isSettled = true));
  return () => isSettled;
};

describe('the response of a relay in the same process', () => {
  it('is written in one piece if it is whole', async () => {
    const head = begin();
    answer.answer({ status: 200, headers: { 'content-length': '2' } }, bytes('{}'));
    expect(answer.drained()).toBeUndefined();
    answer.end();
    expect((await head).pour(raw)).toBeUndefined();
    client.resume();
    await until(() => received.endsWith('{}'));
  });

  it('keeps what comes before it is poured, and lets its writer wait until then', async () => {
    const head = begin();
    answer.answer(STREAM, bytes('one '));
    const isWritten = settledOf(answer.write(bytes('two ')));
    await Promise.resolve();
    expect(isWritten()).toBe(false);
    const poured = (await head).pour(raw);
    await until(isWritten);
    expect(answer.write(bytes('three'))).toBeUndefined();
    answer.end();
    await poured;
    client.resume();
    await until(() => received.includes('three'));
    expect(received.replaceAll(/\r\n[\da-f]+\r\n/g, '')).toContain('one two three');
  });

  it('holds no more than a piece for a client that does not read', async () => {
    const head = begin();
    answer.answer(STREAM, bytes('x'));
    const poured = (await head).pour(raw);
    let written = 0;
    let waiting: Promise<void> | undefined;
    while (!waiting) {
      written += MIB;
      waiting = answer.write(Buffer.alloc(MIB, 'y'));
      expect(written).toBeLessThan(100 * MIB);
    }
    const isWritten = settledOf(waiting);
    expect(raw.writableLength).toBeLessThanOrEqual(256 * 1024);
    expect(isWritten()).toBe(false);
    client.resume();
    await until(isWritten);
    answer.end();
    await poured;
    await until(() => received.split('y').length - 1 === written);
  });

  it('stops waiting, and wants no more, if the client leaves', async () => {
    const head = begin();
    answer.answer(STREAM, Buffer.alloc(8 * MIB));
    const isWritten = settledOf(answer.drained());
    const poured = (await head).pour(raw);
    client.destroy();
    await new Promise((resolve) => raw.once('close', resolve));
    answer.left();
    await poured;
    await until(isWritten);
    expect(raw.listenerCount('drain')).toBe(0);
  });

  it('breaks the call off if the connection takes nothing any more', async () => {
    const head = begin();
    answer.answer(STREAM, bytes('x'));
    const poured = (await head).pour(raw);
    raw.end();
    void answer.write(bytes('y'));
    await poured;
    expect(aborts).toBe(1);
  });

  it('refuses with the error of the relay before the head, and breaks off after it', async () => {
    const error = new AppError('INSUFFICIENT_TOKENS', 'No tokens.');
    void begin();
    answer.fail(error);
    expect(refusal).toBe(error);

    const head = begin();
    answer.answer(STREAM, bytes('x'));
    const poured = (await head).pour(raw);
    answer.fail(error);
    await expect(poured).rejects.toMatchObject({ cause: error });

    const late = begin();
    answer.answer(STREAM, bytes('x'));
    answer.fail(error);
    await expect((await late).pour(raw)).rejects.toMatchObject({ cause: error });
  });
});
