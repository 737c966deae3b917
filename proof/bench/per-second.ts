import autocannon from 'autocannon';

/** How often it looks whether all have been answered. */
const LOOK_MS = 50;

/**
 * Requests per second, so many of them: each is read to its end. Those that a clock would cut off at the end cost most
 * where a caller who leaves is charged.
 */
export function perSecond(options: autocannon.Options & { amount: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    let until = from;
    const load = autocannon({ ...options, sampleInt: LOOK_MS }, (error, result) => {
      if (error) reject(error as Error);
      else if (result.non2xx > 0 || result.errors > 0)
        reject(new Error(`${options.url}: ${result.non2xx} refused, ${result.errors} failed`));
      else resolve((options.amount * 1000) / (until - from));
    });
    load.on('response', () => {
      until = performance.now();
    });
  });
}
