import type { IncomingMessage } from 'node:http';

/** Headers that mean one thing only: a second one is an attempt to make two hops disagree. */
const ONCE = new Set([
  'host',
  'authorization',
  'x-api-key',
  'content-type',
  'content-length',
  'transfer-encoding',
  'x-service-stream-protocol',
  'idempotency-key',
  'switchyard-cause',
]);

export function hasRepeatedHeader({ rawHeaders, headers }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): boolean {
  // As many names as headers: nothing is repeated, as nearly always.
  let names = 0;
  for (const _ in headers) names += 1;
  if (names * 2 === rawHeaders.length) return false;
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}
