import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hasRepeatedHeader } from './repeated-header';

const closing = new WeakSet<Socket>();

/**
 * The connection ends with the answer to this request. Node reads what was pipelined behind a request before that is
 * answered, so those requests have to be ignored by themselves.
 */
export function closeAfter(request: IncomingMessage): void {
  closing.add(request.socket);
}

export const isClosing = (request: IncomingMessage): boolean => closing.has(request.socket);

/** Another hop may have read this request differently: nothing says where it ends. */
export function isAmbiguouslyFramed(request: IncomingMessage): boolean {
  const needsHost = request.httpVersionMajor === 1 && request.httpVersionMinor >= 1;
  return hasRepeatedHeader(request) || (needsHost && request.headers.host === undefined);
}
