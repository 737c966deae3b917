import type { Readable } from 'node:stream';

/** Discards the rest of a refused upload up to this size, then closes the connection. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 30_000;

/**
 * Takes in what is left of a body that was answered before its end. Otherwise it would stand in the way of the next
 * request on the connection, and of the answer to a client that reads only when it has sent everything.
 */
export function discardBody(body: Readable): void {
  if (body.destroyed || body.readableEnded) return;
  let remaining = MAX_BYTES;
  const end = (): void => {
    body.destroy();
  };
  const timer = setTimeout(end, MAX_MS).unref();
  body.once('close', () => {
    clearTimeout(timer);
  });
  // A client that disconnects meanwhile has the response or does not need it.
  body.on('error', () => undefined);
  body.on('data', (bytes: Buffer) => {
    remaining -= bytes.length;
    if (remaining < 0) end();
  });
  body.resume();
}
