import type { FrameMethod, TurnFrame } from './turn-frame';

/** A frame on the wire: the event envelope of the agent streaming protocol. */
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

/** Null if the value is not a frame of this protocol. */
export function envelopeIn(value: unknown): FrameEnvelope | null {
  const frame = value as Partial<FrameEnvelope> | null;
  if (frame?.type !== 'event' || !METHODS.has(String(frame.method)) || !Number.isSafeInteger(frame.seq)) return null;
  const data: unknown = frame.params?.data;
  return typeof data === 'object' && data !== null ? (frame as FrameEnvelope) : null;
}

/** Parses untrusted text; null if it is not a frame. */
export function parseFrame(text: string): FrameEnvelope | null {
  try {
    return envelopeIn(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The frame without its envelope. */
export const frameIn = ({ seq, method, params }: FrameEnvelope): TurnFrame =>
  ({ seq, method, timestamp: params.timestamp, data: params.data as unknown }) as TurnFrame;
