import { PRODUCT_EVENTS } from '@switchyard/contracts';
import type { SseFrame } from '@switchyard/testing';

export const AGENT = { name: 'Tester', model: 'sim-chat', systemPrompt: 'You are a test.' };

export const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };

export const contentsOf = (text: string): { contents: { type: string; text: string }[] } => ({
  contents: [{ type: 'text', text }],
});

// Tests read any frame.
// oxlint-disable-next-line typescript/no-explicit-any
type Data = any;

export interface WireFrame {
  type: string;
  method: string;
  params: { namespace: string[]; timestamp: number; data: Data };
  seq: number;
}

export interface StreamOutput {
  raw: SseFrame[];
  frames: WireFrame[];
  events: string[];
  text: string;
}

/** A stream's frames, event names in order, and answer text. */
export function framesOf(raw: SseFrame[]): StreamOutput {
  const frames = raw.map((frame) => frame.data as WireFrame);
  return {
    raw,
    frames,
    events: frames.map((frame) => frame.params.data.event as string),
    text: frames
      .filter((frame) => frame.params.data.event === PRODUCT_EVENTS.contentDelta)
      .map((frame) => frame.params.data.delta as string)
      .join(''),
  };
}
