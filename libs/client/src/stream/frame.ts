export const STREAM_PROTOCOL_HEADER = 'X-Service-Stream-Protocol';
export const STREAM_PROTOCOL = 'stream-v3';

export type FrameMethod = 'custom:service' | 'messages' | 'tools' | 'lifecycle' | 'input';

/** A frame as it travels: the event envelope of the agent streaming protocol. */
export interface Frame {
  type: 'event';
  method: FrameMethod;
  params: { namespace: string[]; timestamp: number; data: Record<string, unknown> };
  /** Contiguous from 1 within a turn, across pauses and re-attachment. */
  seq: number;
}

const METHODS: ReadonlySet<string> = new Set(['custom:service', 'messages', 'tools', 'lifecycle', 'input']);

/** Null for anything that is not a frame of this protocol. */
export function readFrame(text: string): Frame | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const frame = value as Partial<Frame> | null;
  if (frame?.type !== 'event' || !METHODS.has(String(frame.method))) return null;
  if (!Number.isSafeInteger(frame.seq) || typeof frame.params?.data !== 'object') return null;
  return frame as Frame;
}

/** The last frame of a stretch: the turn has ended, or waits for its user. */
export const isLastFrame = (frame: Frame): boolean =>
  frame.method === 'custom:service' && frame.params.data['event'] === 'stream-ended';
