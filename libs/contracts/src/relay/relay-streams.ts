import { NOT_AFFORDED } from './not-afforded';
import { defineStream } from '../define/contracts';
import { CompleteRequest, CompletionFrame } from './completion';

/** Models may think for minutes before their first word. */
const BEGIN_MS = 900_000;

export const RelayStreams = {
  /** Refusals and upstream failures before the first frame reject; RUNTIME_UNAVAILABLE when no upstream answers. */
  complete: defineStream({
    subject: 'relay.complete',
    request: CompleteRequest,
    frame: CompletionFrame,
    errors: ['NOT_FOUND', ...NOT_AFFORDED, 'RUNTIME_UNAVAILABLE', 'CONFLICT'],
    access: 'internal',
    callers: ['agent', 'session'],
    beginMs: BEGIN_MS,
  }),
};
