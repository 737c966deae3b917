import type { Readable } from 'node:stream';
import { readBody } from '@switchyard/service';
import { SseSplitter } from '../domain/sse-splitter';
import { UpstreamFailed } from './upstream-errors';

const MAX_WHOLE = 64 * 1024 * 1024;
/** So much of an answer is held to find its usage; a longer one passes as it comes. */
const MAX_EARLY = 8 * 1024 * 1024;
const MAX_ERROR = 64 * 1024;

export async function readWhole(body: Readable): Promise<Buffer> {
  const whole = await readBody(body, MAX_WHOLE);
  if (whole === null) throw new UpstreamFailed('the answer is larger than any answer may be');
  return whole;
}

/** A body that is read to its end if that comes soon enough, or else its beginning and what is still to come. */
export async function readEarly(
  body: Readable,
): Promise<{ early: Buffer; isWhole: boolean; rest: AsyncIterator<Buffer> }> {
  const rest = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  for (let size = 0; size <= MAX_EARLY;) {
    const next = await rest.next();
    if (next.done) return { early: Buffer.concat(chunks), isWhole: true, rest };
    chunks.push(next.value);
    size += next.value.length;
  }
  return { early: Buffer.concat(chunks), isWhole: false, rest };
}

/** The beginning of an error's body; the rest is thrown away. */
export async function readError(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_ERROR) break;
    }
  } catch {
    // What has come is enough to tell the caller; the status counts.
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The events of a stream, whole ones, in the pieces in which they came. Resolves when the first complete event is here:
 * until then the call can still go to another upstream.
 */
export async function openEvents(body: Readable): Promise<AsyncGenerator<Buffer>> {
  const splitter = new SseSplitter();
  const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next();
    if (next.done) throw new UpstreamFailed('the stream ended before its first event');
    const first = splitter.push(next.value);
    if (first.length > 0) return rest(first, chunks, splitter, body);
  }
}

async function* rest(
  first: Buffer,
  chunks: AsyncIterator<Buffer>,
  splitter: SseSplitter,
  body: Readable,
): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (;;) {
      const next = await chunks.next();
      if (next.done) break;
      const events = splitter.push(next.value);
      if (events.length > 0) yield events;
    }
    if (splitter.pending > 0) throw new UpstreamFailed('the stream ended within an event');
  } finally {
    body.destroy();
  }
}
