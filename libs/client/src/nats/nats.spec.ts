import { type NatsConnection, type NatsMessage, natsFetch, receive } from '.';

interface Published {
  subject: string;
  body: string;
  reply: string | undefined;
  headers: string;
}

const encoded = (headers: object | undefined): string =>
  headers === undefined ? '' : new TextDecoder().decode((headers as { encode: () => Uint8Array }).encode());

/** A connection as NATS clients have it; `answer` sees what is published. */
class Loopback implements NatsConnection {
  readonly published: Published[] = [];
  readonly replies: string[] = [];
  readonly open = new Map<string, (error: Error | null, message: NatsMessage) => void>();

  constructor(private readonly answer: (published: Published, send: Loopback) => void = () => undefined) {}

  publish(...[subject, data, options]: Parameters<NatsConnection['publish']>): void {
    const body = typeof data === 'string' ? data : new TextDecoder().decode(data);
    const published = { subject, body, reply: options?.reply, headers: encoded(options?.headers) };
    this.published.push(published);
    this.answer(published, this);
  }

  subscribe(...[subject, options]: Parameters<NatsConnection['subscribe']>) {
    this.open.set(subject, options?.callback ?? (() => undefined));
    const unsubscribe = (): void => void this.open.delete(subject);
    const drain = (): Promise<void> => {
      unsubscribe();
      return Promise.resolve();
    };
    return { unsubscribe, drain };
  }

  send(subject: string, body: string, given: Record<string, string> = {}, code = 0): void {
    const pairs = Object.entries(given).map(([name, value]): [string, string[]] => [name, [value]]);
    const headers = { code, [Symbol.iterator]: () => pairs[Symbol.iterator]() };
    this.open.get(subject)?.(null, {
      subject,
      data: new TextEncoder().encode(body),
      reply: 'ack',
      headers,
      respond: (text, options) => {
        this.replies.push(`${String(text ?? '')}${encoded(options?.headers)}`);
        return true;
      },
    });
  }
}

const account = 'A'.repeat(22);

describe('fetch over NATS', () => {
  it('sends the path, the query and the headers that count, as text', async () => {
    const nats = new Loopback(({ reply }, connection) => {
      connection.send(reply ?? '', '{"data":1}', { 'Switchyard-Status': '201', 'Retry-After': '3' });
    });
    const bytes = String.fromCharCode(...new TextEncoder().encode('ü'));
    const answer = await natsFetch(nats, { account })('http://any/api/agents?x=1', {
      method: 'post',
      headers: { 'idempotency-key': bytes, authorization: 'Bearer no', 'x-other': 'no' },
      body: '{}',
    });
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([201, '3', { data: 1 }]);
    const [{ subject, body, reply, headers }] = nats.published as [Published];
    expect([subject, body]).toEqual([`switchyard.v1.${account}.http`, '{}']);
    expect(reply).toMatch(new RegExp(`^_INBOX\\.${account}\\.[0-9a-f]{24}$`));
    expect(headers).toBe(
      'NATS/1.0\r\nSwitchyard-Method: POST\r\nSwitchyard-Path: /api/agents?x=1\r\nIdempotency-Key: ü\r\n\r\n',
    );
    expect(nats.open.size).toBe(0);
  });

  it('rejects without a gateway, and when it is aborted, and leaves no subscription', async () => {
    const nats = new Loopback(({ reply }, connection) => {
      connection.send(reply ?? '', '', {}, 503);
    });
    await expect(natsFetch(nats, { account })('/api/agents')).rejects.toThrow('No gateway listens');
    const silent = new Loopback();
    const stop = new AbortController();
    const pending = natsFetch(silent, { account })('/api/agents', { signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(silent.open.size).toBe(1);
    stop.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    expect([nats.open.size, silent.open.size]).toEqual([0, 0]);
  });

  it('confirms frames only when they are read', async () => {
    const nats = new Loopback(({ reply = '' }, connection) => {
      connection.send(reply, '{"seq":1}', { 'Switchyard-Frame': '1' });
      connection.send(reply, '', { 'Switchyard-Ping': 'true' });
      connection.send(reply, '{"seq":2}', { 'Switchyard-Frame': '2', 'Switchyard-Pace': 'true' });
      connection.send(reply, '', { 'Switchyard-End': 'true', 'Switchyard-Status': '200' });
    });
    const { body } = await natsFetch(nats, { account })('/api/agents/a/chat', { method: 'POST' });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect([await next(), await next(), nats.replies.length]).toEqual(['id: 1\ndata: {"seq":1}\n\n', ': ping\n\n', 0]);
    expect([await next(), nats.replies.length]).toEqual(['id: 2\ndata: {"seq":2}\n\n', 1]);
    expect((await reader.read()).done).toBe(true);
  });

  it('breaks a stream that ended with a failure', async () => {
    const nats = new Loopback(({ reply = '' }, connection) => {
      connection.send(reply, '{"seq":1}', { 'Switchyard-Frame': '1' });
      connection.send(reply, '{}', { 'Switchyard-End': 'true', 'Switchyard-Status': '429' });
    });
    const answer = await natsFetch(nats, { account })('/api/agents/a/chat', { method: 'POST' });
    await expect(answer.text()).rejects.toThrow('429');
  });
});

describe('events over NATS', () => {
  it('name the event as the cause of the requests of their handler', async () => {
    const nats = new Loopback();
    receive(nats, { account, endpoint: 'orders' }, async (_, { fetch }) => {
      void fetch('/api/agents', { headers: { traceparent: 't' } });
      await Promise.resolve();
    });
    nats.send(`switchyard-out.v1.${account}.orders`, '{"type":"a","data":{},"envelopeId":"e-1"}');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(nats.published[0]?.headers).toContain('Switchyard-Cause: e-1\r\n');
    expect(nats.published[0]?.headers).toContain('traceparent: t\r\n');
    expect(nats.replies).toEqual(['']);
  });

  it('fail when their handler throws anything, or their body is none', async () => {
    const nats = new Loopback();
    receive(nats, { account, endpoint: 'orders' }, () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw 'text';
    });
    nats.send(`switchyard-out.v1.${account}.orders`, '{}');
    nats.send(`switchyard-out.v1.${account}.orders`, 'no JSON');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(nats.replies[0]).toContain('Switchyard-Error: The handler failed.\r\n');
    expect(nats.replies[1]).toContain('Switchyard-Error: ');
  });
});
