import { NOT_AFFORDED } from '../relay/budget-errors';
import { TextFrame, defineStream } from '../define/define-contracts';
import { AttachTurn, ResumeTurn, StartChat, StartExecute } from './turn-requests';

/**
 * Frames are sent as serialized JSON with `seq` last, so that they can be forwarded without parsing. `seq` 0 marks a
 * result that replaces the stream.
 */
export const seqOfFrame = (text: string): number => Number(text.slice(text.lastIndexOf(':') + 1, -1));

/** All four carry the frames of one turn. A reader that disconnects does not stop it. */
export const AgentStreams = {
  chat: defineStream({
    subject: 'agent.chat',
    request: StartChat,
    frame: TextFrame,
    errors: [
      'NOT_FOUND',
      'TURN_ALREADY_ACTIVE',
      'UNSUPPORTED_MEDIA_TYPE',
      'IDEMPOTENCY_CONFLICT',
      'RUNTIME_UNAVAILABLE',
      ...NOT_AFFORDED,
      'STREAM_EXPIRED',
    ],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
  }),
  execute: defineStream({
    subject: 'agent.execute-stream',
    request: StartExecute,
    frame: TextFrame,
    errors: [
      'NOT_FOUND',
      'TURN_ALREADY_ACTIVE',
      'UNSUPPORTED_MEDIA_TYPE',
      'RUNTIME_UNAVAILABLE',
      ...NOT_AFFORDED,
      'IDEMPOTENCY_CONFLICT',
      'STREAM_EXPIRED',
    ],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
  }),
  /** The first frame has seq 0 if the question was answered before: its JSON is the whole result. */
  resume: defineStream({
    subject: 'agent.resume',
    request: ResumeTurn,
    frame: TextFrame,
    errors: ['NOT_FOUND', 'INTERACTION_NOT_PENDING', ...NOT_AFFORDED, 'STREAM_EXPIRED', 'RUNTIME_UNAVAILABLE'],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
  }),
  /** Replays from `after`, then follows live. STREAM_EXPIRED if frames in between were deleted. */
  attach: defineStream({
    subject: 'agent.attach',
    request: AttachTurn,
    frame: TextFrame,
    errors: ['NOT_FOUND', 'STREAM_EXPIRED'],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
  }),
};
