import type { ErrorCode } from '@switchyard/kernel';
import type { Operation } from './list-operations';

const OPEN: ErrorCode[] = ['VALIDATION_ERROR', 'RATE_LIMITED', 'SERVER_ERROR', 'SERVICE_UNAVAILABLE'];
const ALWAYS: ErrorCode[] = [...OPEN, 'UNAUTHORIZED', 'FORBIDDEN', 'SPACE_SUSPENDED'];

/** Refusals of a body before it is read. A streamed body has its own limit and content types. */
function ofBody({ endpoint, body }: Operation): ErrorCode[] {
  if (endpoint.body === 'stream') return ['UNSUPPORTED_MEDIA_TYPE'];
  return endpoint.body === 'bytes' || body ? ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] : [];
}

/** The codes of every refusal of an operation: its own, and those that follow from what it is. */
export function refusalsOf(operation: Operation): Set<ErrorCode> {
  const { endpoint } = operation;
  return new Set([
    ...(endpoint.access === 'public' && !endpoint.honoursCredential ? OPEN : ALWAYS),
    ...ofBody(operation),
    ...(endpoint.idempotent ? (['IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS'] as const) : []),
    ...endpoint.errors,
  ]);
}
