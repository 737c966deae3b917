import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Target, body } from './relay-load';

export interface Pace {
  perSecond: number;
  seconds: number;
  /** Script of the simulator. */
  script: string;
  stream: boolean;
}

export interface Delays {
  p50: number;
  p99: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

/**
 * Calls at a steady pace, whether or not the earlier ones have been answered: milliseconds from the time at which a call
 * was due to the first byte of a stream, or to the end of a whole answer.
 */
export async function atPace(target: Target, { perSecond, seconds, script, stream }: Pace): Promise<Delays> {
  const { origin, pathname } = new URL(target.url);
  const pool = new Pool(origin, { connections: perSecond });
  const calls: Promise<number>[] = [];
  const call = async (due: number): Promise<number> => {
    const answer = await pool.request({
      path: `${pathname}/chat/completions`,
      method: 'POST',
      headers: { ...target.headers, 'content-type': 'application/json' },
      body: body(script, stream),
    });
    if (answer.statusCode !== 200) throw new Error(`a call at a steady pace was answered with ${answer.statusCode}`);
    let first = NaN;
    for await (const _ of answer.body) if (Number.isNaN(first)) first = performance.now() - due;
    return stream ? first : performance.now() - due;
  };
  const from = performance.now();
  try {
    for (let n = 0; n < perSecond * seconds; n += 1) {
      const due = from + (n * 1000) / perSecond;
      const early = due - performance.now();
      if (early > 1) await sleep(early);
      calls.push(call(due));
    }
    const taken = (await Promise.all(calls)).sort((a, b) => a - b);
    return { p50: at(taken, 0.5), p99: at(taken, 0.99) };
  } finally {
    await pool.destroy();
  }
}
