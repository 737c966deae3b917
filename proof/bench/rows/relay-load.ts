import { Pool } from 'undici';
import { perSecond } from '../per-second';

export interface Target {
  /** Up to and with `/v1`. */
  url: string;
  headers: Record<string, string>;
}

export const body = (script: string, stream: boolean): string =>
  JSON.stringify({
    model: 'sim-chat',
    stream,
    max_tokens: 1000,
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: script },
    ],
  });

const headersOf = (target: Target): Record<string, string> => ({
  ...target.headers,
  'content-type': 'application/json',
});

/** Whole answers per second, so many at a time. */
export const answersPerSecond = (target: Target, connections: number, times: number): Promise<number> =>
  perSecond({
    url: `${target.url}/chat/completions`,
    method: 'POST',
    headers: headersOf(target),
    body: body('@@reply Hello there, how are you?', false),
    connections,
    amount: times,
  });

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Median milliseconds of one whole answer after the other. */
export async function answerMs(target: Target, times: number): Promise<number> {
  const { origin, pathname } = new URL(target.url);
  const pool = new Pool(origin, { connections: 1 });
  const taken: number[] = [];
  try {
    for (let i = 0; i < times; i += 1) {
      const from = performance.now();
      const answer = await pool.request({
        path: `${pathname}/chat/completions`,
        method: 'POST',
        headers: headersOf(target),
        body: body('@@reply Hello there, how are you?', false),
      });
      await answer.body.text();
      taken.push(performance.now() - from);
    }
  } finally {
    await pool.destroy();
  }
  return median(taken);
}

async function readStream(
  pool: Pool,
  path: string,
  target: Target,
  script: string,
): Promise<{ firstMs: number; events: number }> {
  const from = performance.now();
  const answer = await pool.request({ path, method: 'POST', headers: headersOf(target), body: body(script, true) });
  let firstMs = NaN;
  let events = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    if (Number.isNaN(firstMs)) firstMs = performance.now() - from;
    for (let at = chunk.indexOf('\n\n'); at >= 0; at = chunk.indexOf('\n\n', at + 2)) events += 1;
  }
  return { firstMs, events };
}

/** Median milliseconds to the first bytes of a stream, one stream after the other. */
export async function firstByteMs(target: Target, times: number): Promise<number> {
  const { origin, pathname } = new URL(target.url);
  const pool = new Pool(origin, { connections: 1 });
  const taken: number[] = [];
  try {
    for (let i = 0; i < times; i += 1)
      taken.push((await readStream(pool, `${pathname}/chat/completions`, target, '@@delay 5\n@@tokens 5')).firstMs);
  } finally {
    await pool.destroy();
  }
  return median(taken);
}

/** Events per second over many streams that the upstream sends as fast as it can. */
export async function eventsPerSecond(target: Target, streams: number, inFlight: number): Promise<number> {
  const { origin, pathname } = new URL(target.url);
  const pool = new Pool(origin, { connections: inFlight });
  let remaining = streams;
  let events = 0;
  const from = performance.now();
  const shard = async (): Promise<void> => {
    while (remaining > 0) {
      remaining -= 1;
      // Read first, then added: what other lanes have added meanwhile would be lost otherwise.
      const read = await readStream(pool, `${pathname}/chat/completions`, target, '@@tokens 400');
      events += read.events;
    }
  };
  try {
    await Promise.all(Array.from({ length: inFlight }, shard));
  } finally {
    await pool.destroy();
  }
  return (events * 1000) / (performance.now() - from);
}
