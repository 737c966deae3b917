import { createServer } from 'node:net';

// Below the range from which the kernel takes source ports, so that no client connection takes ours in between.
const lowest = 20_000;
const highest = 32_000;

const handedOut = new Set<number>();

/** A port on which nothing listens, and which this process has not handed out before. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (handedOut.has(port)) continue;
    if (await isFree(port, host)) {
      handedOut.add(port);
      return port;
    }
  }
  throw new Error(`no free port found between ${lowest} and ${highest}`);
}

export function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
