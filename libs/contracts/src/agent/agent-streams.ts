import { NOT_AFFORDED } from '../relay/not-afforded';
import { TextFrame, defineStream } from '../define/contracts';
import { AttachTurn, ResumeTurn, StartChat, StartExecute } from './turn-requests';

/**
 * A frame travels as its finished JSON text, `seq` last, so that nobody on the way parses it again.
 * A `seq` of 0 is no frame: it is the answer that stands in place of a stream.
 */
export const seqOfFrame = (text: string): number => Number(text.slice(text.lastIndexOf(':') + 1, -1));

/** All four carry the frames of one turn; a reader that leaves does not stop it. */
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
  /** The first frame has seq 0 when the question was answered already: its JSON is the whole answer. */
  resume: defineStream({
    subject: 'agent.resume',
    request: ResumeTurn,
    frame: TextFrame,
    errors: ['NOT_FOUND', 'INTERACTION_NOT_PENDING', ...NOT_AFFORDED, 'STREAM_EXPIRED', 'RUNTIME_UNAVAILABLE'],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
  }),
  /** Replays from `after`, then goes live. STREAM_EXPIRED when frames in between are gone. */
  attach: defineStream({
    subject: 'agent.attach',
    request: AttachTurn,
    frame: TextFrame,
    errors: ['NOT_FOUND', 'STREAM_EXPIRED'],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
  }),
};
