import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from '@switchyard/kernel';
import { Pool } from 'undici';
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

afterEach(async () => {
  await pool.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function newAnswer(signal = new AbortController().signal): { answer: UpstreamAnswer; told: string[] } {
  const told: string[] = [];
  const answer = new UpstreamAnswer(signal, { onOut: () => told.push('out'), onClose: () => told.push('closed') });
  return { answer, told };
}

describe('an answer of an upstream', () => {
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
