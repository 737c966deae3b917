import { type ReadDelta, readDeltaFrame } from './delta-frames';
import { envelopeIn, frameIn } from './frame-envelope';
import { PRODUCT_EVENTS, type ProductEventKey, type ProductFields } from './product-events';
import type { FrameBody, TurnFrame } from './turn-frame';

/**
 * Null for other JSON, such as a result in place of a stream; throws for text that is not JSON. `delta`: the same text,
 * if it was already read as one.
 */
export function readTurnFrame(text: string, delta: ReadDelta | null = readDeltaFrame(text)): TurnFrame | null {
  if (delta) {
    const data = { event: delta.event, delta: delta.delta, message_id: delta.messageId };
    return { seq: delta.seq, method: 'custom:service', timestamp: delta.timestamp, data };
  }
  const envelope = envelopeIn(JSON.parse(text));
  return envelope && frameIn(envelope);
}

/** Frames are sent as texts, several joined by line breaks; an empty text only opens a stream. */
export const frameTexts = (joined: string): readonly string[] =>
  joined === '' ? [] : joined.includes('\n') ? joined.split('\n') : [joined];

/** As `readTurnFrame`; skips other JSON. */
export function readTurnFrames(joined: string): TurnFrame[] {
  const frames: TurnFrame[] = [];
  for (const text of frameTexts(joined)) {
    const frame = readTurnFrame(text);
    if (frame) frames.push(frame);
  }
  return frames;
}

/** Fields of the product event in a frame, or null for another frame. */
export function productFieldsOf<Key extends ProductEventKey>(text: string, key: Key): ProductFields<Key> | null {
  const name = PRODUCT_EVENTS[key];
  // Most frames do not match and are not parsed. A match may also be inside a tool's output.
  if (!text.includes(`"event":"${name}"`)) return null;
  const frame: FrameBody | null = readTurnFrame(text);
  return frame?.method === 'custom:service' && frame.data.event === name
    ? (frame.data as unknown as ProductFields<Key>)
    : null;
}

/** Whether the last of these frames ends its stream: the turn has ended, or waits for its user. */
export const endsStream = (joined: string | undefined): boolean =>
  joined !== undefined && productFieldsOf(joined.slice(joined.lastIndexOf('\n') + 1), 'streamEnded') !== null;
