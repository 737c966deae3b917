import { type ReadDelta, readDeltaFrame, readTurnFrame, readTurnFrames, type TurnFrame } from '@switchyard/contracts';

/** One server-sent event of a protocol. */
export interface ProtocolEvent {
  /** The field `event` of the wire, where the protocol has one. */
  event?: string;
  /** The field `id` of the wire, where the protocol has one. */
  id?: string;
  /** JSON, or the text as it stands. */
  data: object | string;
}

/** The text around a delta's JSON. Deltas of one batch with the same template become one event. */
export interface DeltaTemplate {
  start: (first: { timestamp: number }) => string;
  end: string;
}

/** Clients may limit the length of a line. */
const JOINED_DELTA_LENGTH = 16_384;

/**
 * Projects a turn's frames to one protocol's events. The output depends only on the frames, in order from the first, so
 * every replay has the same texts in every process. It has no side effects.
 */
export interface Projection {
  /** The events of one frame. */
  read(frame: TurnFrame): ProtocolEvent[];
  /**
   * As `read`, for a delta that continues the open message: returns the text of its server-sent event, or the template
   * of an event that may carry several deltas. Null where it is to be read as any frame. There are more of these than of
   * all others together.
   */
  readDelta?(delta: ReadDelta): string | DeltaTemplate | null;
  /**
   * Events that end an incomplete stream, if clients of this protocol cannot attach again.
   */
  cutOff?(reason: { code: string; message: string }): ProtocolEvent[];
  /** The answer is complete, even if the turn continues: no more frames are read. */
  readonly isOver: boolean;
}

/** Reads frames until the protocol's answer is complete. */
export function project(projection: Projection, texts: readonly string[]): ProtocolEvent[] {
  const events: ProtocolEvent[] = [];
  for (const joined of texts) {
    for (const frame of readTurnFrames(joined)) {
      if (projection.isOver) return events;
      events.push(...projection.read(frame));
    }
  }
  return events;
}

/** The events of one frame, or the serialized text of a single event. */
export function readFrame(projection: Projection, text: string): ProtocolEvent[] | string {
  const delta = readDeltaFrame(text);
  const output = (delta && projection.readDelta?.(delta)) ?? null;
  if (typeof output === 'string') return output;
  if (delta && output) return `data: ${output.start(delta)}"${delta.escaped}"${output.end}\n\n`;
  const frame = readTurnFrame(text, delta);
  return frame ? projection.read(frame) : [];
}

/** As `project`, in server-sent events. */
export function toSse(projection: Projection, texts: readonly string[]): string {
  const output = new SseWriter(projection);
  for (const joined of texts) {
    if (!joined.includes('\n')) output.add(joined);
    else for (const text of joined.split('\n')) output.add(text);
  }
  return output.finish();
}

class SseWriter {
  private output = '';
  private open: DeltaTemplate | null = null;
  private openedAt = 0;

  constructor(private readonly projection: Projection) {}

  add(text: string): void {
    if (text === '' || this.projection.isOver) return;
    const delta = readDeltaFrame(text);
    const read = (delta && this.projection.readDelta?.(delta)) ?? null;
    if (typeof read === 'string') {
      this.close();
      this.output += read;
    } else if (delta && read) this.addDelta(delta, read);
    else {
      this.close();
      const frame = readTurnFrame(text, delta);
      if (frame) this.output += sseOf(this.projection.read(frame));
    }
  }

  finish(): string {
    this.close();
    return this.output;
  }

  private addDelta(delta: ReadDelta, template: DeltaTemplate): void {
    const isFull = this.output.length - this.openedAt > JOINED_DELTA_LENGTH;
    if (template !== this.open || isFull) {
      this.close();
      this.open = template;
      this.openedAt = this.output.length;
      this.output += `data: ${template.start(delta)}"`;
    }
    this.output += delta.escaped;
  }

  private close(): void {
    if (this.open) this.output += `"${this.open.end}\n\n`;
    this.open = null;
  }
}

export function sseOf(events: readonly ProtocolEvent[]): string {
  let text = '';
  for (const { event, id, data } of events) {
    if (id !== undefined) text += `id: ${id}\n`;
    if (event !== undefined) text += `event: ${event}\n`;
    text += `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  }
  return text;
}
