import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from '@switchyard/kernel';
import { type Dispatcher, Pool } from 'undici';
import { StreamReads } from './stream-reads';
import { UpstreamAnswer } from './upstream-answer';

const QUESTION = { method: 'POST' as const, path: '/', body: '{}' };
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');

let server: Server;
let pool: Pool;

async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 1 });
}

function newAnswer(signal = new AbortController().signal): { answer: UpstreamAnswer; told: string[] } {
  const told: string[] = [];
  const answer = new UpstreamAnswer(signal, { onOut: () => told.push('out'), onClose: () => told.push('closed') });
  return { answer, told };
}

describe('an answer of an upstream', () => {
  afterEach(async () => {
    await pool.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is read whole, after what the upstream says before it', async () => {
    await serve(async (_request, response) => {
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      await sleep(20);
      response.writeHead(201, { 'x-one': '1' }).end('abc');
    });
    const { answer, told } = newAnswer();
    await answer.ask(pool, QUESTION);
    expect([answer.status, answer.headers['x-one'], told[0]]).toEqual([201, '1', 'out']);
    expect((await answer.whole(3))?.toString()).toBe('abc');
    expect(told).toEqual(['out', 'closed']);
  });

  it('is null where it is larger than it may be, and frees its connection once', async () => {
    await serve((_request, response) => response.end('abcd'));
    const { answer, told } = newAnswer();
    await answer.ask(pool, QUESTION);
    expect(await answer.whole(3)).toBeNull();
    answer.destroy();
    expect(told).toEqual(['out', 'closed']);
  });

  it('pauses the upstream until the body is read, and loses nothing', async () => {
    const pieces = 64;
    let written = 0;
    await serve(async (_request, response) => {
      for (; written < pieces; written += 1)
        if (!response.write(MEGABYTE)) await new Promise((resolve) => response.once('drain', resolve));
      response.end();
    });
    const { answer } = newAnswer();
    await answer.ask(pool, QUESTION);
    await sleep(300);
    expect(written).toBeLessThan(pieces / 2);
    let size = 0;
    for await (const chunk of answer) size += chunk.length;
    expect(size).toBe(pieces * MEGABYTE.length);
  });

  it('fails its reader where it breaks off', async () => {
    await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('abc', () => response.destroy());
    });
    const { answer, told } = newAnswer();
    await answer.ask(pool, QUESTION);
    await expect(answer.whole(100)).rejects.toThrow();
    expect(told).toEqual(['out', 'closed']);
  });

  it('is left by who waits for a connection, without having been asked for', async () => {
    let heard = 0;
    await serve(() => (heard += 1));
    const first = newAnswer();
    first.answer.ask(pool, QUESTION).catch(() => undefined);
    const leaving = new AbortController();
    const { answer, told } = newAnswer(leaving.signal);
    const asked = answer.ask(pool, QUESTION);
    await sleep(50);
    leaving.abort(new Error('left'));
    await expect(asked).rejects.toThrow('left');
    first.answer.destroy();
    await sleep(100);
    expect([heard, told]).toEqual([1, ['closed']]);
  });

  it('ends for who leaves while it comes', async () => {
    await serve((_request, response) => void response.write('abc'));
    const leaving = new AbortController();
    const { answer, told } = newAnswer(leaving.signal);
    await answer.ask(pool, QUESTION);
    expect((await answer.next()).value?.toString()).toBe('abc');
    const next = answer.next();
    leaving.abort(new Error('left'));
    await expect(next).rejects.toThrow('left');
    expect(told).toEqual(['out', 'closed']);
  });
});

describe('answers that come beside many others', () => {
  const pauses: string[] = [];
  const controller = {
    pause: () => pauses.push('pause'),
    resume: () => undefined,
    abort: () => undefined,
  } as unknown as Dispatcher.DispatchController;

  beforeEach(() => {
    jest.useFakeTimers();
    pauses.length = 0;
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** An answer that is read as one of so many, and what its reader has got so far. */
  function readAmong(others: number): { say: (text: string) => void; end: () => void; got: string[] } {
    const reads = new StreamReads();
    for (let n = 0; n < others; n += 1) reads.enter();
    const { answer } = newAnswer();
    answer.readWith(reads);
    answer.onRequestStart(controller);
    const got: string[] = [];
    void (async () => {
      for await (const piece of answer) got.push(piece.toString());
      got.push('end');
    })();
    return {
      say: (text) => {
        answer.onResponseData(controller, Buffer.from(text));
      },
      end: () => {
        answer.onResponseEnd();
      },
      got,
    };
  }

  it('are read piece by piece where there are few', async () => {
    const { say, got } = readAmong(10);
    for (const text of ['a', 'b', 'c']) {
      say(text);
      await jest.advanceTimersByTimeAsync(0);
    }
    expect(got).toEqual(['a', 'b', 'c']);
  });

  it('are read a few times a second where there are many, all that has come each time', async () => {
    const { say, got } = readAmong(99);
    for (let n = 0; n < 100; n += 1) {
      say('x');
      await jest.advanceTimersByTimeAsync(5);
    }
    await jest.advanceTimersByTimeAsync(50);
    expect(got.join('')).toBe('x'.repeat(100));
    expect(got.length).toBeLessThanOrEqual(12);
  });

  it('never wait for more than a movement takes', async () => {
    const { say, got } = readAmong(5_000);
    say('a');
    await jest.advanceTimersByTimeAsync(1);
    say('b');
    await jest.advanceTimersByTimeAsync(60);
    expect(got).toEqual(['a', 'b']);
  });

  it('end at once, with all that came before', async () => {
    const { say, end, got } = readAmong(99);
    say('a');
    await jest.advanceTimersByTimeAsync(1);
    say('b');
    say('c');
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect(got).toEqual(['a', 'bc', 'end']);
  });

  it('are read at once when a lot has come, and the upstream waits', async () => {
    const { say, got } = readAmong(99);
    say('a');
    await jest.advanceTimersByTimeAsync(1);
    say('x'.repeat(64 * 1024));
    expect(pauses).toEqual(['pause']);
    await jest.advanceTimersByTimeAsync(0);
    expect(got.map(({ length }) => length)).toEqual([1, 64 * 1024]);
  });
});
