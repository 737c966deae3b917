import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import Fastify, { type FastifyReply } from 'fastify';
import { internalCredential } from '../auth/internal-credential';
import { type InjectedAnswer, type InjectedRequest, injectRequest } from './inject-request';

const fastify = Fastify();
/** Status of each answer that the hook for ended answers has seen. */
const ended: number[] = [];
const MIB = 1024 * 1024;
let url = '';

/** Of the last request to the route. */
let raw: FastifyReply['raw'];
let written = 0;

fastify.addHook('onRequest', (request, reply, next) => {
  void reply.header('x-account', internalCredential(request.raw)?.value ?? 'none');
  next();
});
fastify.addHook('onResponse', (_request, reply, next) => {
  ended.push(reply.statusCode);
  next();
});
fastify.get('/json', (request) => ({ query: request.query, url: request.url, agent: request.headers['user-agent'] }));
fastify.get('/ip', (request, reply) => reply.send(request.ip));
fastify.post('/echo', (request, reply) => reply.status(201).header('etag', '"1"').send(request.body));
fastify.post(
  '/unread',
  { onRequest: async (_request, reply) => void (await reply.status(403).send('no')) },
  () => 'yes',
);
fastify.get('/empty', (_request, reply) => reply.status(204).send());
fastify.get('/buffer', (_request, reply) => reply.send(Buffer.alloc(3 * MIB, 'b')));
fastify.get('/error', () => {
  throw new Error('the handler failed');
});
fastify.get('/header', (_request, reply) => reply.header('x-bad', 'a\r\nb').send('x'));
fastify.get('/twice', (_request, reply) => {
  void reply.send('first');
  reply.raw.end();
  return reply;
});
fastify.get('/stream', (_request, reply) => reply.send(Readable.from(['one ', Buffer.from('two '), 'three'])));
fastify.get('/broken', (_request, reply) =>
  reply.send(
    Readable.from(
      (function* () {
        yield 'one';
        throw new Error('the source failed');
      })(),
    ),
  ),
);
fastify.get('/hijacked', (_request, reply) => {
  reply.hijack();
  ({ raw } = reply);
  raw.setHeader('x-turn', 't1');
  raw.writeHead(200, { 'content-type': 'text/event-stream' });
  raw.socket?.cork();
  raw.flushHeaders();
  raw.socket?.uncork();
  raw.socket?.setNoDelay(true);
});
fastify.get<{ Params: { status: string } }>('/raw/:status', (request, reply) => {
  reply.hijack();
  reply.raw.writeHead(Number(request.params.status), { ...reply.getHeaders(), etag: '"2"' } as OutgoingHttpHeaders);
  reply.raw.write('one ');
  reply.raw.end('two');
});
fastify.get('/destroyed', (_request, reply) => {
  reply.hijack();
  reply.raw.destroy(new Error('nothing was written'));
});
fastify.get('/endless', (_request, reply) => {
  ({ raw } = reply);
  written = 0;
  const source = function* (): Generator<Buffer> {
    while (written < 64 * MIB) {
      written += 1024;
      yield Buffer.alloc(1024);
    }
  };
  return reply.send(Readable.from(source()));
});

beforeAll(async () => {
  url = await fastify.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => fastify.close());
beforeEach(() => {
  ended.length = 0;
});

const inject = (
  method: string,
  target: string,
  more: Partial<InjectedRequest> = {},
  onBodyRead = (): void => undefined,
) =>
  injectRequest(
    fastify,
    { account: 'a1', method, target, headers: { host: 'nats' }, body: Buffer.alloc(0), ...more },
    onBodyRead,
  );
const bodyOf = async ({ body }: InjectedAnswer): Promise<string> =>
  Buffer.isBuffer(body) ? body.toString() : text(body);

describe('a request that is carried out without a socket', () => {
  it.each([
    ['GET', '/json?a=1&b=%20', undefined],
    ['HEAD', '/json', undefined],
    ['GET', '/empty', undefined],
    ['GET', '/buffer', undefined],
    ['GET', '/error', undefined],
    ['GET', '/header', undefined],
    ['GET', '/twice', undefined],
    ['GET', '/stream', undefined],
    ['GET', '/raw/200', undefined],
    ['HEAD', '/raw/200', undefined],
    ['GET', '/raw/304', undefined],
    ['GET', '/nowhere', undefined],
    ['GET', '/%', undefined],
    ['POST', '/echo', JSON.stringify({ text: 'ü'.repeat(200_000) })],
    ['POST', '/echo', '{"not": JSON'],
    ['POST', '/echo', JSON.stringify({ text: 'x'.repeat(2 * MIB) })],
    ['POST', '/unread', '{}'],
  ])('of %s %s is answered as over HTTP', async (method, target, body) => {
    const headers: Record<string, string> = { host: 'nats', 'user-agent': 'nats' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const ours = await inject(method, target, { headers, body: Buffer.from(body ?? '') });
    const theirs = await fetch(url + target, { method, headers, ...(body === undefined ? {} : { body }) });
    expect([ours.status, await bodyOf(ours)]).toEqual([theirs.status, await theirs.text()]);
    for (const name of ['content-type', 'content-length', 'etag'])
      expect([name, String(ours.headers[name] ?? null)]).toEqual([name, String(theirs.headers.get(name))]);
    expect([ours.headers['x-account'] ?? 'none', theirs.headers.get('x-account') ?? 'none']).toEqual(
      target === '/%' ? ['none', 'none'] : ['a1', 'none'],
    );
  });

  it('names its account in place of an address, and runs the hook for ended answers once', async () => {
    expect(await bodyOf(await inject('GET', '/ip'))).toBe('nats a1');
    await turn();
    expect(ended).toEqual([200]);
  });

  it('says when its body was read, and says nothing where no route reads it', async () => {
    let reads = 0;
    const count = (): void => {
      reads += 1;
    };
    const body = Buffer.from('{}');
    const headers = { host: 'nats', 'content-type': 'application/json' };
    await inject('POST', '/unread', { headers, body }, count);
    expect(reads).toBe(0);
    await inject('POST', '/echo', { headers, body }, count);
    expect(reads).toBe(1);
  });

  it('is read piece by piece where a route writes to the response itself', async () => {
    const answer = await inject('GET', '/hijacked');
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream', 'x-turn': 't1' } });
    const memory = Buffer.from('one');
    raw.write(memory);
    memory.fill('x');
    raw.write('two');
    const read: string[] = [];
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      read.push(piece.toString());
      if (read.length === 2) raw.end('three');
    }
    expect([read, raw.writableFinished, raw.headersSent]).toEqual([['one', 'two', 'three'], true, true]);
    expect(() => raw.setHeader('a', 'b')).toThrow(expect.objectContaining({ code: 'ERR_HTTP_HEADERS_SENT' }) as Error);
    await turn();
    expect(ended).toEqual([200]);
  });

  it('makes its route wait for its reader', async () => {
    const answer = await inject('GET', '/endless');
    for (let n = 0; n < 20; n += 1) await turn();
    const before = written;
    expect(before).toBeLessThan(MIB);
    let bytes = 0;
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MIB) break;
    }
    expect(written).toBeGreaterThan(before);
    answer.leave();
    await turn();
    await turn();
    expect([raw.destroyed, raw.writableFinished]).toEqual([true, false]);
  });

  it('is closed for its route when the caller leaves, and what is written later has no effect', async () => {
    const answer = await inject('GET', '/hijacked');
    const closed = new Promise((resolve) => raw.once('close', resolve));
    answer.leave();
    await closed;
    expect([raw.destroyed, raw.writableEnded]).toEqual([true, false]);
    raw.write('late');
    raw.end('later');
    await turn();
    await expect(bodyOf(answer)).rejects.toThrow('broken off');
  });

  it('breaks off where the source of the answer fails', async () => {
    const answer = await inject('GET', '/broken');
    await expect(bodyOf(answer)).rejects.toThrow('broken off');
  });

  it('fails where its route ends it without an answer', async () => {
    await expect(inject('GET', '/destroyed')).rejects.toThrow('broken off');
  });
});
