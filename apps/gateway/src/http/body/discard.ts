import type { Readable } from 'node:stream';

/** What is left of a refused upload is thrown away up to here; then its connection ends. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_MS = 30_000;

/**
 * Takes in what is left of a body that was answered before its end. Otherwise it would stand in the way of the next
 * request on the connection, and of the answer to a client that reads only when it has sent everything.
 */
export function discard(body: Readable): void {
  if (body.destroyed || body.readableEnded) return;
  let left = MOST_BYTES;
  const end = (): void => {
    body.destroy();
  };
  const timer = setTimeout(end, MOST_MS).unref();
  body.once('close', () => {
    clearTimeout(timer);
  });
  // Who goes away in the middle of it has heard the answer, or does not want it.
  body.on('error', () => undefined);
  body.on('data', (bytes: Buffer) => {
    left -= bytes.length;
    if (left < 0) end();
  });
  body.resume();
}
