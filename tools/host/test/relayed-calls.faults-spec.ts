import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { parse } from 'yaml';
import { TraceCollector } from '../../../apps/gateway/test/support/trace-collector';
import { balanceOf, expectLedgerAddsUp, setBalance, settled } from '../../../apps/relay/test/support/money';
import { type GatewayAndRelay, SHAPES, type Shape, startGatewayAndRelay } from './gateway-and-relay';
import { type WatchedUpstream, startWatchedUpstream } from './watched-upstream';

const MIB = 1024 * 1024;
const platform = usePlatform();
const collector = new TraceCollector();
const both = {} as Record<Shape, GatewayAndRelay>;
let upstream: WatchedUpstream;
let space: TestSpace;
let key: Client;
let poorKey: Client;
let limitedKey: Client;

function catalogue(): object {
  const file = path.resolve(__dirname, '../../../apps/relay/src/catalogue/built-in.yaml');
  const builtIn = parse(readFileSync(file, 'utf8')) as { upstreams: object; models: object[] };
  const model = (id: string): object => ({
    id,
    upstream: 'watched',
    contextWindow: 100_000,
    maxOutputTokens: 50_000,
    inputPrice: 1,
    outputPrice: 1,
  });
  return {
    upstreams: { ...builtIn.upstreams, watched: { baseUrl: upstream.url, auth: 'none', retries: 0 } },
    models: [...builtIn.models, model('flood'), model('trickle')],
  };
}

const start = async (shape: Shape): Promise<GatewayAndRelay> => {
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  return startGatewayAndRelay(platform, shape, {
    gateway: { UNREAD_STALL_MS: '3000', ...traced },
    relay: traced,
    catalogue: catalogue(),
  });
};

beforeAll(async () => {
  await collector.open();
  upstream = await startWatchedUpstream();
  space = await platform.newSpace();
  await space.credit(100_000_000);
  const poor = await platform.newSpace();
  await setBalance(poor, 0);
  [key, poorKey, limitedKey] = await Promise.all([
    space.key(),
    poor.key(),
    space.key({ limits: { models: ['sim-embed'] } }),
  ]);
  for (const shape of SHAPES) both[shape] = await start(shape);
}, 400_000);

afterAll(async () => {
  for (const each of Object.values(both)) await each.stop();
  await upstream.close();
  collector.close();
});

const chat = (content: string, extra: object = {}): object => ({
  model: 'sim-chat',
  messages: [{ role: 'user', content }],
  ...extra,
});

interface ComparedCall {
  path?: string;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  by?: () => Client;
}

const CALLS: [what: string, call: ComparedCall][] = [
  ['a whole answer', { body: chat('@@usage 3 4\n@@reply hi') }],
  ['a stream', { body: chat('@@usage 3 4\n@@reply one two three', { stream: true }) }],
  ['a stream with its usage', { body: chat('@@reply hi', { stream: true, stream_options: { include_usage: true } }) }],
  ['a stream that breaks off', { body: chat('@@cut 2\n@@tokens 9', { stream: true }) }],
  [
    'an answer larger than any window',
    { path: 'embeddings', body: { model: 'sim-embed', input: Array.from({ length: 100 }, (_, n) => `text ${n}`) } },
  ],
  ['a refusal of the upstream', { body: chat('@@error 429 slow down') }],
  ['an error of the upstream', { body: chat('@@error 500') }],
  ['a model that does not exist', { body: { ...chat('hi'), model: 'none' } }],
  ['a model that the key may not use', { body: chat('hi'), by: () => limitedKey }],
  ['a Space without tokens', { body: chat('hi'), by: () => poorKey }],
  ['a body that is not JSON', { body: '{' }],
  ['a body in another charset', { body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } }],
  ['a form where JSON is expected', { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['a compressed body', { body: '{}', headers: { 'content-encoding': 'gzip' } }],
  ['a body that is too large', { body: chat('x'.repeat(17 * MIB)) }],
  [
    'a body with stored state',
    { path: 'responses', body: { model: 'sim-chat', input: 'hi', store: true, background: true } },
  ],
  ['a path that is not open', { path: 'files', body: {} }],
  ['a path that is bytes to the relay', { path: 'echo', body: { any: 'thing' } }],
  ['a path with a query', { method: 'GET', path: 'inspect?a=b' }],
];

const OWN = /^(date|x-request-id|ratelimit-.*|x-ratelimit-.*|keep-alive|connection)$/;
/** Without ids and times, which differ from one call to the next. */
const same = (text: string): string =>
  text
    .replaceAll(/"created(_at)?":\d+/g, '"created":0')
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}|(chatcmpl|resp|msg|cmpl|embd)[-_][\w-]+|[\da-f]{32}-[\da-f]{16}/g, 'id');

describe('a call of the relay', () => {
  it.each(CALLS)('is answered alike in one process and in a process each: %s', async (_, call) => {
    const { path: target = 'chat/completions', method = 'POST', body, headers = {}, by = () => key } = call;
    const answers = [];
    for (const shape of SHAPES) {
      const reply = await fetch(`${both[shape].at(by()).host}/models/v1/${target}`, {
        method,
        headers: { authorization: by().authorization ?? '', 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const shown = [...reply.headers].filter(([name]) => !OWN.test(name));
      const text = await reply.text().catch(String);
      answers.push({ status: reply.status, headers: Object.fromEntries(shown), text: same(text) });
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[1]?.text).not.toContain('SERVICE_UNAVAILABLE');
  });
});

describe.each(SHAPES)('a relay and its gateway in %s', (shape) => {
  const ask = (body: object, options = {}): ReturnType<Client['rawStream']> =>
    both[shape].at(key).rawStream('POST', '/models/v1/chat/completions', body, options);
  const sum = (text: string, metric: RegExp): number =>
    text
      .split('\n')
      .filter((line) => metric.test(line))
      .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);

  it('count each call once', async () => {
    const seen = async (): Promise<number[]> => [
      sum(await both[shape].metrics('gateway'), /^switchyard_http_request_seconds_count.*\/models\/v1/),
      sum(await both[shape].metrics('relay'), /^switchyard_relay_call_seconds_count.*sim-chat/),
    ];
    const before = await seen();
    for (let n = 0; n < 3; n += 1)
      await ask(chat('@@reply hi', { stream: n === 1 })).then(({ body, all }) => body ?? all());
    expect(await seen()).toEqual(before.map((count) => count + 3));
  });

  it('are one trace, each with its own name', async () => {
    const traceId = shape === 'one process' ? 'a'.repeat(32) : 'b'.repeat(32);
    const headers = { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` };
    await (await ask(chat('@@reply hi', { stream: true }), { headers })).all();
    const spans = await collector.whole(traceId, { 'gateway: POST /models/v1/*': 1, 'relay: chat sim-chat': 1 });
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(named('chat sim-chat')?.parentSpanId).toBe(named('POST /models/v1/*')?.spanId);
    expect([...new Set(spans.map(({ service }) => service))].sort()).toEqual(['gateway', 'relay']);
  });

  it('break the call off and settle it if the client leaves', async () => {
    const { balance } = await settled(space.owner);
    const calls = upstream.calls.length;
    const leaving = new AbortController();
    const { frames } = await ask({ ...chat('hi'), model: 'trickle', stream: true }, { signal: leaving.signal });
    await frames.next();
    await frames.next();
    leaving.abort();
    await until(() => upstream.calls[calls]?.isBrokenOff);
    await until(async () => (await balanceOf(space.owner)).balance < balance);
    await settled(space.owner);
    await expectLedgerAddsUp(platform, space);
  });

  it('break off a call whose client leaves before the head', async () => {
    const leaving = new AbortController();
    const call = ask(chat('@@delay 60000\n@@reply hi'), { signal: leaving.signal }).catch(String);
    await until(async () => (await balanceOf(space.owner)).reserved > 0);
    leaving.abort();
    expect(await call).toContain('AbortError');
    await until(async () => (await balanceOf(space.owner)).reserved === 0);
  });

  it('take no more from the upstream than a client that does not read', async () => {
    const calls = upstream.calls.length;
    const { hostname, port } = new URL(both[shape].at(key).host);
    const body = JSON.stringify({ ...chat('hi'), model: 'flood', stream: true });
    const client = connect(Number(port), hostname).pause();
    client.on('error', () => undefined);
    client.write(
      `POST /models/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: ${key.authorization ?? ''}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    // The gateway closes the connection of a client that takes nothing for three seconds.
    await until(() => upstream.calls[calls]?.isBrokenOff);
    client.destroy();
    expect(upstream.calls[calls]?.sentBytes).toBeGreaterThan(0.1 * MIB);
    expect(upstream.calls[calls]?.sentBytes).toBeLessThan(64 * MIB);
    await settled(space.owner);
  });
});

/** The events of a stream. */
async function* streamed(at: Client, content: string): AsyncGenerator<string> {
  const call = request(`${at.host}/models/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: at.authorization ?? '', 'content-type': 'application/json' },
  }).end(JSON.stringify(chat(content, { stream: true, max_tokens: 200 })));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  let rest = '';
  for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    yield* events;
  }
}

test.each(SHAPES)(
  'a relay and its gateway in %s let a stream come to its end if they are stopped',
  async (shape) => {
    const stopping = await start(shape);
    const events: string[] = [];
    let stopped: Promise<void> | undefined;
    for await (const event of streamed(stopping.at(key), '@@delay 20\n@@tokens 100')) {
      events.push(event);
      stopped ??= stopping.stop('SIGTERM');
    }
    expect(events.filter((event) => event.includes('"content":"')).length).toBeGreaterThanOrEqual(100);
    expect(events.at(-1)).toBe('data: [DONE]');
    await stopped;
    await until(async () => (await balanceOf(space.owner)).reserved === 0);
  },
  200_000,
);
