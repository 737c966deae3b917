export interface SseFrame {
  /** Of the event; null where it has none. */
  seq: number | null;
  data: string;
}

/** Reads the frames of an event stream as its bytes arrive. */
export class SseFrames {
  private readonly decoder = new TextDecoder();
  private rest = '';

  push(bytes: Uint8Array): SseFrame[] {
    const parts = (this.rest + this.decoder.decode(bytes, { stream: true })).split('\n\n');
    this.rest = parts.pop() ?? '';
    return parts.flatMap((part) => frameIn(part) ?? []);
  }
}

/** Null for a comment, such as a heartbeat. */
function frameIn(event: string): SseFrame | null {
  let seq: number | null = null;
  const data: string[] = [];
  for (const line of event.split('\n')) {
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    else if (line.startsWith('id:')) seq = Number(line.slice(3));
  }
  return data.length > 0 ? { seq: Number.isSafeInteger(seq) ? seq : null, data: data.join('\n') } : null;
}
