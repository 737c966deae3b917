import { type ReadDelta, readDeltaFrame } from './delta';
import { PRODUCT_EVENTS, type ProductEventKey, type ProductFields } from './product-events';
import type { FrameBody, FrameMethod, TurnFrame } from './turn-frame';

/** A frame as it travels: the event envelope of the agent streaming protocol. */
export interface FrameEnvelope {
  type: 'event';
  method: FrameMethod;
  params: { namespace: string[]; timestamp: number; data: Record<string, unknown> };
  seq: number;
}

const METHODS: ReadonlySet<string> = new Set<FrameMethod>([
  'custom:service',
  'messages',
  'tools',
  'lifecycle',
  'input',
]);

function envelopeIn(value: unknown): FrameEnvelope | null {
  const frame = value as Partial<FrameEnvelope> | null;
  if (frame?.type !== 'event' || !METHODS.has(String(frame.method)) || !Number.isSafeInteger(frame.seq)) return null;
  const data: unknown = frame.params?.data;
  return typeof data === 'object' && data !== null ? (frame as FrameEnvelope) : null;
}

/** Null for anything that is not a frame of this protocol: for text of any origin. */
export function parseFrame(text: string): FrameEnvelope | null {
  try {
    return envelopeIn(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Null for JSON that is not a frame, as an answer in place of a stream; throws for text that is not JSON: frames between
 * services are complete. `delta`: the same text, where it was read as one already.
 */
export function readTurnFrame(text: string, delta: ReadDelta | null = readDeltaFrame(text)): TurnFrame | null {
  if (delta) {
    const data = { event: delta.event, delta: delta.delta, message_id: delta.messageId };
    return { seq: delta.seq, method: 'custom:service', timestamp: delta.timestamp, data };
  }
  const envelope = envelopeIn(JSON.parse(text));
  if (!envelope) return null;
  const { seq, method, params } = envelope;
  return { seq, method, timestamp: params.timestamp, data: params.data as unknown } as TurnFrame;
}

/** Frames travel as texts, several joined by line breaks; an empty text only opens a stream. */
export const frameTexts = (joined: string): readonly string[] =>
  joined === '' ? [] : joined.includes('\n') ? joined.split('\n') : [joined];

/** As `readTurnFrame`, without what is not a frame. */
export function readTurnFrames(joined: string): TurnFrame[] {
  const frames: TurnFrame[] = [];
  for (const text of frameTexts(joined)) {
    const frame = readTurnFrame(text);
    if (frame) frames.push(frame);
  }
  return frames;
}

/** Fields of the product event in a frame, or null if the frame is another one. */
export function productFieldsOf<Key extends ProductEventKey>(text: string, key: Key): ProductFields<Key> | null {
  const name = PRODUCT_EVENTS[key];
  // Most frames are other ones: they are not parsed. A match may still be text within the output of a tool.
  if (!text.includes(`"event":"${name}"`)) return null;
  const frame: FrameBody | null = readTurnFrame(text);
  return frame?.method === 'custom:service' && frame.data.event === name
    ? (frame.data as unknown as ProductFields<Key>)
    : null;
}

/** Whether the last one of these joined frames ends its stream: the turn has ended, or waits for its user. */
export const endsStream = (joined: string | undefined): boolean =>
  joined !== undefined && productFieldsOf(joined.slice(joined.lastIndexOf('\n') + 1), 'streamEnded') !== null;
