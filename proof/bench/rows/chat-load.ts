import { Agent, request } from 'undici';

export interface StreamTimes {
  firstMs: number;
  totalMs: number;
  ended: boolean;
}

export interface StreamCall {
  url: string;
  headers: Record<string, string>;
  body: object;
  /** First and last bytes of the response in this protocol. */
  first: string;
  end: string;
  /** A request sent before the stream, if needed; `then` builds the stream's body from its response. */
  before?: { url: string; body: object; then?: (answer: unknown) => object };
  /** The stream stays open after its end, and its reader leaves. */
  staysOpen?: boolean;
}

const dispatcher = new Agent({
  connections: 600,
  pipelining: 1,
  keepAliveTimeout: 30_000,
  headersTimeout: 120_000,
  bodyTimeout: 120_000,
});

/** Reads one stream as cheaply as can be: only the times of its first piece and of its end are looked at. */
export async function readStream(call: StreamCall): Promise<StreamTimes> {
  const startedAt = performance.now();
  const post = ({ url, body }: { url: string; body: object }): ReturnType<typeof request> =>
    request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...call.headers },
      body: JSON.stringify(body),
      dispatcher,
    });
  let { body } = call;
  if (call.before) {
    const answer = await (await post(call.before)).body.json();
    body = call.before.then?.(answer) ?? body;
  }
  const response = await post({ url: call.url, body });
  let firstMs = 0;
  let tail = '';
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    const text = chunk.toString('latin1');
    if (firstMs === 0 && text.includes(call.first)) firstMs = performance.now() - startedAt;
    tail = (tail + text).slice(-2000);
    if (call.staysOpen && tail.includes(call.end)) break;
  }
  return {
    firstMs,
    totalMs: performance.now() - startedAt,
    ended: response.statusCode === 200 && tail.includes(call.end),
  };
}

export interface Crowd {
  firstP50Ms: number;
  firstP99Ms: number;
  wallMs: number;
  failed: number;
}

/** So many streams at once; `call` gives each of them its own request. */
export async function crowd(count: number, call: (at: number) => StreamCall): Promise<Crowd> {
  const startedAt = performance.now();
  const times = await Promise.all(Array.from({ length: count }, (_, at) => readStream(call(at)).catch(() => null)));
  const wallMs = performance.now() - startedAt;
  const good = times.filter((time): time is StreamTimes => time?.ended === true);
  const firsts = good.map(({ firstMs }) => firstMs).sort((a, b) => a - b);
  return {
    firstP50Ms: firsts[Math.floor(firsts.length / 2)] ?? NaN,
    firstP99Ms: firsts[Math.floor(firsts.length * 0.99)] ?? NaN,
    wallMs,
    failed: count - good.length,
  };
}
