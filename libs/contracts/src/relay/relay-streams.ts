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
    errors: [
      'NOT_FOUND',
      'REQUEST_TOO_LARGE',
      'INSUFFICIENT_TOKENS',
      'BELOW_MINIMUM_BALANCE',
      'DAILY_LIMIT_EXCEEDED',
      'MONTHLY_LIMIT_EXCEEDED',
      'RATE_LIMITED',
      'RUNTIME_UNAVAILABLE',
    ],
    callers: ['agent', 'session'],
    beginMs: BEGIN_MS,
  }),
};
