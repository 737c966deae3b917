import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, newId, toAppError } from '@switchyard/kernel';
import { TIMED_OUT } from './request-timeouts';
import type { RateHeaders } from '../limits/rate-limiter';
import { errorBody, errorHeaders } from './error-body';

const refusal = (error: AppError, headers: Record<string, string>): string => {
  const body = JSON.stringify(errorBody(error));
  const lines = Object.entries({
    ...headers,
    ...errorHeaders(error),
    'x-request-id': newId(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
};

/** Counts an answer to an address; throws where it is one too many. */
export type CountAddress = (address: string, headers: RateHeaders) => void;

function whyRefused(error: { code?: string }): AppError {
  const message =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The path and the headers together are too long.'
      : 'The request is not well-formed HTTP.';
  return new AppError('VALIDATION_ERROR', message);
}

function counted(error: AppError, socket: Socket, headers: Record<string, string>, count: CountAddress): string {
  const all = { ...headers };
  const header = (name: string, value: number): void => {
    all[name] = String(value);
  };
  try {
    count(socket.remoteAddress ?? '', { header });
    return refusal(error, all);
  } catch (tooMany) {
    return refusal(toAppError(tooMany), all);
  }
}

/** Answers what the HTTP parser itself has given up, in the words of every other refusal: no route ever sees it. */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  headers: Record<string, string>,
  count: CountAddress,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // In the middle of another answer this one would be taken for a part of that.
  const answering = (socket as Socket & { _httpMessage?: { headersSent: boolean } | null })._httpMessage;
  if (socket.writable && answering?.headersSent !== true) {
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    socket.write(isLate ? TIMED_OUT : counted(whyRefused(error), socket, headers, count));
  }
  socket.destroySoon();
}
