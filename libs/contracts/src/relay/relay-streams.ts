import { BytesFrame, defineStream } from '../define/contracts';
import { CompleteRequest, CompletionFrame } from './completion';
import { ProxyRequest } from './proxy';

/** Models may think for minutes before their first word. */
const BEGIN_MS = 900_000;

export const RelayStreams = {
  /** Refusals and upstream failures before the first frame reject; RUNTIME_UNAVAILABLE when no upstream answers. */
  complete: defineStream({
    subject: 'relay.complete', request: CompleteRequest, frame: CompletionFrame,
    errors: ['NOT_FOUND', 'REQUEST_TOO_LARGE', 'INSUFFICIENT_TOKENS', 'BELOW_MINIMUM_BALANCE', 'DAILY_LIMIT_EXCEEDED', 'RATE_LIMITED', 'RUNTIME_UNAVAILABLE'],
    callers: ['agent', 'session'], beginMs: BEGIN_MS,
  }),
  /** The HTTP relay: the first frame is the head, the others are the body as it arrives from the upstream. */
  proxy: defineStream({ subject: 'relay.proxy', request: ProxyRequest, frame: BytesFrame, callers: ['gateway'], beginMs: BEGIN_MS }),
};
