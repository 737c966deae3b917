import { NOT_AFFORDED } from './budget-errors';
import { defineStream } from '../define/define-contracts';
import { CompleteRequest, CompletionFrame } from './completion';

/** Models may reason for minutes before the first token. */
const BEGIN_MS = 900_000;

export const RelayStreams = {
  /** Refusals and upstream failures before the first frame reject; RUNTIME_UNAVAILABLE if no upstream is available. */
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
