import { METHODS } from 'node:http';
import { AppError } from '@switchyard/kernel';
import { routePath } from '../http/request-path';
import { HTTP, OPERATIONS, type Operation, type Streams, findOperation, operationAt } from './operations';
import { type MessageHeaders, headerOf } from './message-headers';

/** The request that a message stands for. */
export interface ReadRequest {
  /** As metrics and logs name it. */
  operation: string;
  method: string;
  target: string;
  streams: Streams | undefined;
  worksWithoutReply: boolean;
  reads: boolean;
}

const REACHABLE = /^\/(?:api|models)\//;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
const UNPRINTABLE = /[^\x21-\x7e]+/g;
const READS = new Set(['GET', 'HEAD']);
/** Questions that are asked by POST. */
const QUESTIONS = /^\/api\/datasets\/[^/]+\/data\/(?:query|search|full-text-search|hybrid-search|count)$/;

const withQuery = (path: string, query: string | undefined): string =>
  query === undefined || query === '' ? path : `${path}?${query.replace(/^\?/, '').replace(UNPRINTABLE, encoded)}`;

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new AppError('VALIDATION_ERROR', 'The query is not well-formed.');
  }
}

/** Null for an unknown operation, and for a path that the NATS API does not lead to. */
export function readRequest(tokens: readonly string[], headers: MessageHeaders): ReadRequest | null {
  if (tokens.length === 1 && tokens[0] === HTTP) return readHttp(headers);
  const found = findOperation(tokens);
  if (!found) return null;
  const { operation, path } = found;
  return requestOf(operation, withQuery(path, headerOf(headers, 'switchyard-query')));
}

const NAMES = [...OPERATIONS.map(({ operation }) => operation), HTTP];
const kindOf = (name: string): string => name.split('.', 1)[0] ?? name;
const KINDS = [...new Set(NAMES.map(kindOf))];
const SHOWN_TOKENS = 6;
/** As long as an id. A seed or a key that is sent by mistake is longer, and an answer should not repeat it. */
const SHOWN = /^[A-Za-z0-9_-]{1,36}$/;

/** The answer where `readRequest` finds nothing, for callers that are known. */
export function unknownOperation(tokens: readonly string[]): AppError {
  if (tokens.length === 1 && tokens[0] === HTTP)
    return new AppError(
      'NOT_FOUND',
      'Switchyard-Path must begin with /api/ or /models/, and may not contain the segments . and ..',
    );
  const given = tokens.slice(0, SHOWN_TOKENS).map((token) => (SHOWN.test(token) ? token : '…'));
  const near = NAMES.filter((name) => kindOf(name) === tokens[0]);
  const existing = near.length > 0 ? `Operations: ${near.join(', ')}.` : `Operations begin with ${KINDS.join(', ')}.`;
  return new AppError('NOT_FOUND', `There is no operation ${given.join('.')}. ${existing}`);
}

const requestOf = (operation: Operation, target: string): ReadRequest => ({
  operation: operation.operation,
  method: operation.method,
  target,
  streams: operation.streams,
  worksWithoutReply: operation.worksWithoutReply === true,
  reads: operation.reads === true,
});

function readHttp(headers: MessageHeaders): ReadRequest | null {
  const method = headerOf(headers, 'switchyard-method');
  const target = headerOf(headers, 'switchyard-path');
  if (method === undefined || target === undefined)
    throw new AppError(
      'VALIDATION_ERROR',
      'The operation http needs the headers Switchyard-Method and Switchyard-Path.',
    );
  if (!METHODS.includes(method)) throw new AppError('VALIDATION_ERROR', 'Switchyard-Method must be a method of HTTP.');
  const [path = '', ...rest] = target.split('?');
  if (!REACHABLE.test(path) || DOT_SEGMENT.test(path)) return null;
  const full =
    rest.length > 0 ? withQuery(path, rest.join('?')) : withQuery(path, headerOf(headers, 'switchyard-query'));
  // The routes see it without a version prefix.
  const plain = routePath(path, { serveAtRoot: false }) ?? path;
  const operation = operationAt(method, plain);
  return {
    operation: HTTP,
    method,
    target: full,
    streams: plain.startsWith('/models/') ? 'if true' : operation?.streams,
    worksWithoutReply: false,
    reads: READS.has(method) || operation?.reads === true || QUESTIONS.test(plain),
  };
}
