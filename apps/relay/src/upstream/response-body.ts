import { SseSplitter } from '../domain/sse-splitter';
import type { BatchedStreamReads } from './batched-stream-reads';
import type { UpstreamResponseReader } from './upstream-response-reader';
import { UpstreamFailed } from './upstream-errors';

export const MAX_WHOLE = 64 * 1024 * 1024;
/** So much of an answer is held to find its usage; a longer one passes as it comes. */
const MAX_EARLY = 8 * 1024 * 1024;
const MAX_ERROR = 64 * 1024;

export function wholeOf(body: Buffer | null): Buffer {
  if (body === null) throw new UpstreamFailed('the answer is larger than any answer may be');
  return body;
}

export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new UpstreamFailed('the answer is not JSON', { cause: error });
  }
}

/** A body that is read to its end if that comes soon enough, or else its beginning and what is still to come. */
export async function readEarly(
  rest: AsyncIterator<Buffer>,
): Promise<{ early: Buffer; isWhole: boolean; rest: AsyncIterator<Buffer> }> {
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
export async function readError(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_ERROR) break;
    }
  } catch {
    // What has come is enough to tell the caller; the status counts.
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The events of a stream, whole ones, in the pieces in which they came. */
export class EventPieces implements AsyncIterableIterator<Buffer> {
  private readonly splitter = new SseSplitter();
  private first: Buffer | undefined;

  constructor(
    private readonly answer: UpstreamResponseReader,
    private readonly reads: BatchedStreamReads,
  ) {}

  /** Resolves when the first complete event is here: until then the call can still go to another upstream. */
  async begin(): Promise<this> {
    const { done, value } = await this.read();
    if (done === true) throw new UpstreamFailed('the stream ended before its first event');
    this.first = value;
    return this;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const { first } = this;
    if (!first) return this.read();
    this.first = undefined;
    return Promise.resolve({ done: false, value: first });
  }

  /** The first words are out: later ones may wait a moment for other streams. */
  batch(): void {
    this.answer.readWith(this.reads);
  }

  return(): Promise<IteratorResult<Buffer, undefined>> {
    return this.answer.return();
  }

  private async read(): Promise<IteratorResult<Buffer, undefined>> {
    try {
      for (;;) {
        const next = await this.answer.next();
        if (next.done === true) {
          if (this.splitter.pending > 0) throw new UpstreamFailed('the stream ended within an event');
          return next;
        }
        const events = this.splitter.push(next.value);
        if (events.length > 0) return { done: false, value: events };
      }
    } catch (error) {
      this.answer.destroy();
      throw error;
    }
  }
}
