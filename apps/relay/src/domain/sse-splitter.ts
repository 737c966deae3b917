/**
 * Cuts a byte stream into whole server-sent events. An incomplete event is buffered, so half an event is never passed
 * on; the stream is aborted if an event exceeds the limit.
 */
export class SseSplitter {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly limitBytes = 16 * 1024 * 1024) {}

  /** The events that are complete now, each with its closing blank line, as they came. Empty where none is. */
  push(chunk: Buffer): Buffer {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const end = endOfLastEvent(bytes);
    this.rest = bytes.subarray(end);
    if (this.rest.length > this.limitBytes) throw new Error('an event of the upstream is larger than any event may be');
    return bytes.subarray(0, end);
  }

  /** Bytes of an event that has begun and not ended. */
  get pending(): number {
    return this.rest.length;
  }
}

const CARRIAGE_RETURN = 13;

function endOfLastEvent(bytes: Buffer): number {
  const plain = bytes.lastIndexOf('\n\n');
  // Carriage returns are rare.
  const windows = bytes.includes(CARRIAGE_RETURN) ? bytes.lastIndexOf('\r\n\r\n') : -1;
  return Math.max(plain < 0 ? 0 : plain + 2, windows < 0 ? 0 : windows + 4);
}

/** Where the event ends that begins at `start`: with the text, should that end before. */
export function endOfEvent(text: string, start: number): number {
  const plain = text.indexOf('\n\n', start);
  // Looked for up to there only: in most streams there is none to the very end.
  const windows = text.slice(start, plain < 0 ? undefined : plain + 1).indexOf('\r\n\r\n');
  if (windows >= 0) return start + windows + 4;
  return plain < 0 ? text.length : plain + 2;
}

/** Whole events one by one. */
export function eventsIn(text: string): string[] {
  const events: string[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = endOfEvent(text, start);
    events.push(text.slice(start, end));
  }
  return events;
}

const DATA = /^data: ?(.*)$/gm;

/** The event's data lines, joined and decoded. Null for a comment. */
export function dataOf(event: string): string | null {
  const lines = [...event.matchAll(DATA)].map((match) => (match[1] ?? '').replace(/\r$/, ''));
  return lines.length === 0 ? null : Buffer.from(lines.join('\n'), 'latin1').toString('utf8');
}

/** Events are latin1 text: one character per byte. */
export const isDone = (event: string): boolean => event.startsWith('data: [DONE]') || event.startsWith('data:[DONE]');
