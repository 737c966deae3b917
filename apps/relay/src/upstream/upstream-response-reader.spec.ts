import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from '@switchyard/kernel';
import { type Dispatcher, Pool } from 'undici';
import { EventPieces } from './response-body';
import { BatchedStreamReads } from './batched-stream-reads';
import { UpstreamResponseReader } from './upstream-response-reader';

const QUESTION = { method: 'POST' as const, path: '/', body: '{}' };
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');

let server: Server;
let pool: Pool;

async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 1 });
}

function newAnswer(signal = new AbortController().signal): { answer: UpstreamResponseReader; received: string[] } {
  const received: string[] = [];
  const answer = new UpstreamResponseReader(signal, {
    onOut: () => received.push('out'),
    onClose: () => received.push('closed'),
  });
  return { answer, received };
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
    const { answer, received } = newAnswer();
    await answer.ask(pool, QUESTION);
    expect([answer.status, answer.headers['x-one'], received[0]]).toEqual([201, '1', 'out']);
    expect((await answer.whole(3))?.toString()).toBe('abc');
    expect(received).toEqual(['out', 'closed']);
  });

  it('is null where it is larger than it may be, and frees its connection once', async () => {
    await serve((_request, response) => response.end('abcd'));
    const { answer, received } = newAnswer();
    await answer.ask(pool, QUESTION);
    expect(await answer.whole(3)).toBeNull();
    answer.destroy();
    expect(received).toEqual(['out', 'closed']);
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
    const { answer, received } = newAnswer();
    await answer.ask(pool, QUESTION);
    await expect(answer.whole(100)).rejects.toThrow();
    expect(received).toEqual(['out', 'closed']);
  });

  it('is left by who waits for a connection, without having been asked for', async () => {
    let count = 0;
    await serve(() => (count += 1));
    const first = newAnswer();
    first.answer.ask(pool, QUESTION).catch(() => undefined);
    const leaving = new AbortController();
    const { answer, received } = newAnswer(leaving.signal);
    const answered = answer.ask(pool, QUESTION);
    await sleep(50);
    leaving.abort(new Error('left'));
    await expect(answered).rejects.toThrow('left');
    first.answer.destroy();
    await sleep(100);
    expect([count, received]).toEqual([1, ['closed']]);
  });

  it('ends for who leaves while it comes', async () => {
    await serve((_request, response) => void response.write('abc'));
    const leaving = new AbortController();
    const { answer, received } = newAnswer(leaving.signal);
    await answer.ask(pool, QUESTION);
    expect((await answer.next()).value?.toString()).toBe('abc');
    const next = answer.next();
    leaving.abort(new Error('left'));
    await expect(next).rejects.toThrow('left');
    expect(received).toEqual(['out', 'closed']);
  });
});

/** From now on so many pieces of other streams come each millisecond. Returns what stops them. */
function load(reads: BatchedStreamReads, perMs: number): () => void {
  const other = { passOn: () => undefined };
  const coming = setInterval(() => {
    for (let n = 0; n < perMs; n += 1) reads.mark(other);
  }, 1);
  jest.advanceTimersByTime(250);
  return () => {
    clearInterval(coming);
  };
}

describe('answers that come beside many others', () => {
  const requests: string[] = [];
  const controller = {
    pause: () => requests.push('pause'),
    resume: () => requests.push('resume'),
    abort: () => undefined,
  } as unknown as Dispatcher.DispatchController;
  let reads: BatchedStreamReads;
  let stop: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    requests.length = 0;
    reads = new BatchedStreamReads();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** An answer beside others of which so many pieces come each millisecond. The first of its words its reader has. */
  function answerAmong(
    perMs: number,
    signal?: AbortSignal,
  ): { answer: UpstreamResponseReader; push: (text: string) => void } {
    stop = load(reads, perMs);
    const { answer } = newAnswer(signal);
    answer.onRequestStart(controller);
    answer.readWith(reads);
    return {
      answer,
      push: (text) => {
        answer.onResponseData(controller, Buffer.from(text));
      },
    };
  }

  /** Output for a reader that never waits. */
  function read(answer: UpstreamResponseReader): string[] {
    const got: string[] = [];
    void (async () => {
      for await (const piece of answer) got.push(piece.toString());
      got.push('end');
    })().catch((error: unknown) => got.push((error as Error).message));
    return got;
  }

  it('are read piece by piece where few pieces come', async () => {
    const { answer, push } = answerAmong(2);
    const got = read(answer);
    for (const text of ['a', 'b', 'c']) {
      push(text);
      await jest.advanceTimersByTimeAsync(0);
    }
    expect(got).toEqual(['a', 'b', 'c']);
  });

  it('are read every sixty milliseconds under load, all that has come each time', async () => {
    const { answer, push } = answerAmong(8);
    const got = read(answer);
    for (let n = 0; n < 100; n += 1) {
      push('x');
      await jest.advanceTimersByTimeAsync(5);
    }
    await jest.advanceTimersByTimeAsync(50);
    expect(got.join('')).toBe('x'.repeat(100));
    expect(got.length).toBeLessThanOrEqual(12);
  });

  it('wait for sixty milliseconds at most, however high the load', async () => {
    const { answer, push } = answerAmong(50);
    const got = read(answer);
    push('a');
    await jest.advanceTimersByTimeAsync(61);
    push('b');
    await jest.advanceTimersByTimeAsync(61);
    expect(got).toEqual(['a', 'b']);
  });

  it('end at once, with all that came before', async () => {
    const { answer, push } = answerAmong(8);
    const got = read(answer);
    push('a');
    await jest.advanceTimersByTimeAsync(61);
    push('b');
    push('c');
    answer.onResponseEnd();
    await jest.advanceTimersByTimeAsync(0);
    expect(got).toEqual(['a', 'bc', 'end']);
  });

  it('say at once that they broke off, behind all that came before', async () => {
    const { answer, push } = answerAmong(8);
    const got = read(answer);
    push('a');
    await jest.advanceTimersByTimeAsync(61);
    push('b');
    answer.onResponseError(controller, new Error('broke off'));
    await jest.advanceTimersByTimeAsync(0);
    expect(got).toEqual(['a', 'b', 'broke off']);
  });

  it('let go of what waits when their caller leaves', async () => {
    const leaving = new AbortController();
    const { answer, push } = answerAmong(8, leaving.signal);
    await answer.ask(
      { dispatch: () => answer.onResponseStart(controller, 200, {}) } as unknown as Dispatcher,
      QUESTION,
    );
    const got = read(answer);
    push('a');
    await jest.advanceTimersByTimeAsync(61);
    push('b');
    leaving.abort(new Error('left'));
    await jest.advanceTimersByTimeAsync(100);
    expect(got).toEqual(['a', 'left']);
  });

  it('pause the upstream when 64 KiB are unread, and are then read all at once', async () => {
    const { answer, push } = answerAmong(8);
    push('a');
    push('x'.repeat(64 * 1024));
    expect(requests).toEqual(['pause']);
    await jest.advanceTimersByTimeAsync(100);
    expect(requests).toEqual(['pause']);
    expect((await answer.next()).value).toHaveLength(64 * 1024 + 1);
    expect(requests).toEqual(['pause', 'resume']);
  });

  it('are read piece by piece again as soon as fewer pieces come', async () => {
    const { answer, push } = answerAmong(8);
    expect(reads.areBatched).toBe(true);
    stop();
    jest.advanceTimersByTime(300);
    expect(reads.areBatched).toBe(false);
    const got = read(answer);
    for (const text of ['a', 'b', 'c']) {
      push(text);
      await jest.advanceTimersByTimeAsync(0);
    }
    expect(got).toEqual(['a', 'b', 'c']);
  });
});

describe('the events of a stream', () => {
  it('are read in batches only when its first words are out', async () => {
    jest.useFakeTimers();
    try {
      const reads = new BatchedStreamReads();
      load(reads, 8);
      const { answer } = newAnswer();
      const events = new EventPieces(answer, reads);
      const next = async (text: string): Promise<(string | undefined)[]> => {
        let got: string | undefined;
        void events.next().then(({ value }) => (got = value?.toString()));
        answer.onResponseData({ resume: () => undefined } as Dispatcher.DispatchController, Buffer.from(text));
        await jest.advanceTimersByTimeAsync(0);
        const atOnce = got;
        await jest.advanceTimersByTimeAsync(61);
        return [atOnce, got];
      };
      for (const role of ['data: 1\n\n', 'data: 2\n\n']) expect(await next(role)).toEqual([role, role]);
      events.batch();
      expect(await next('data: 3\n\n')).toEqual([undefined, 'data: 3\n\n']);
    } finally {
      jest.useRealTimers();
    }
  });
});
