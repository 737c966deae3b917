import type { Socket } from 'node:net';
import { AppError, newId } from '@switchyard/kernel';
import { TIMED_OUT } from './arrivals';
import { errorBody } from './error-body';

const refusal = (message: string, headers: Record<string, string>): string => {
  const error = new AppError('VALIDATION_ERROR', message);
  const body = JSON.stringify(errorBody(error));
  const lines = Object.entries({
    ...headers,
    'x-request-id': newId(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${error.status} Bad Request\r\n${lines.join('')}\r\n${body}`;
};

/** Answers what the HTTP parser itself has given up, in the words of every other refusal: no route ever sees it. */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  headers: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const message =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? 'The path and the headers together are too long.'
        : 'The request is not well-formed HTTP.';
    socket.write(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TIMED_OUT : refusal(message, headers));
  }
  socket.destroySoon();
}
