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

/**
 * Projects a turn's frames to one protocol's events. The output depends only on the frames, in order from the first, so
 * every replay is the same in every process. It has no side effects.
 */
export interface Projection {
  /** The events of one frame. */
  read(frame: TurnFrame): ProtocolEvent[];
  /**
   * As `read`, for a delta that continues the open message: returns the text of its server-sent event.
   * Null where it is to be read as any frame. There are more of these than of all others together.
   */
  readDelta?(delta: ReadDelta): string | null;
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
  const output = delta && projection.readDelta ? projection.readDelta(delta) : null;
  if (output !== null) return output;
  const frame = readTurnFrame(text, delta);
  return frame ? projection.read(frame) : [];
}

/** As `project`, in server-sent events. */
export function toSse(projection: Projection, texts: readonly string[]): string {
  let output = '';
  for (const joined of texts) {
    if (!joined.includes('\n')) output += frameToSse(projection, joined);
    else for (const text of joined.split('\n')) output += frameToSse(projection, text);
  }
  return output;
}

function frameToSse(projection: Projection, text: string): string {
  if (text === '' || projection.isOver) return '';
  const events = readFrame(projection, text);
  return typeof events === 'string' ? events : sseOf(events);
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
