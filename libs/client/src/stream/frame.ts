import type { FrameEnvelope } from '../api/turn-frames';

export const STREAM_PROTOCOL_HEADER = 'X-Service-Stream-Protocol';
export const STREAM_PROTOCOL = 'stream-v3';

/** A frame as it travels. `seq` is contiguous from 1 within a turn, over pauses and new connections. */
export type Frame = FrameEnvelope;
