/**
 * Cuts a byte stream into whole server-sent events. What has no end yet is kept back, so that half an event is never
 * passed on; an upstream that never ends an event is broken off at the limit.
 */
export class SseSplitter {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly limitBytes = 16 * 1024 * 1024) {}

  /** The events that are complete now, each with its closing blank line, as latin1 text: one character per byte. */
  push(chunk: Buffer): string[] {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const text = bytes.toString('latin1');
    const events: string[] = [];
    // Almost nobody sends carriage returns: then they are not looked for after every event.
    const endOfEvent = text.includes('\r') ? endOfAnyEvent : endOfPlainEvent;
    let start = 0;
    for (let end = endOfEvent(text, start); end > 0; end = endOfEvent(text, start)) {
      events.push(text.slice(start, end));
      start = end;
    }
    this.rest = start === 0 ? bytes : bytes.subarray(start);
    if (this.rest.length > this.limitBytes) throw new Error('an event of the upstream is larger than any event may be');
    return events;
  }

  /** Bytes of an event that has begun and not ended. */
  get pending(): number {
    return this.rest.length;
  }
}

function endOfPlainEvent(text: string, start: number): number {
  const at = text.indexOf('\n\n', start);
  return at < 0 ? -1 : at + 2;
}

function endOfAnyEvent(text: string, start: number): number {
  const plain = text.indexOf('\n\n', start);
  const windows = text.indexOf('\r\n\r\n', start);
  if (plain < 0 && windows < 0) return -1;
  if (windows >= 0 && (plain < 0 || windows < plain)) return windows + 4;
  return plain + 2;
}

const DATA = /^data: ?(.*)$/gm;

/** What an event carries: its data lines joined, decoded. Null for a comment. */
export function dataOf(event: string): string | null {
  const lines = [...event.matchAll(DATA)].map((match) => (match[1] ?? '').replace(/\r$/, ''));
  return lines.length === 0 ? null : Buffer.from(lines.join('\n'), 'latin1').toString('utf8');
}

export const isDone = (event: string): boolean => event.startsWith('data: [DONE]') || event.startsWith('data:[DONE]');
