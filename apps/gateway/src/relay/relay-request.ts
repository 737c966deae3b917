import { isUtf8 } from 'node:buffer';
import type { ProxyRequest } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { GateRequest } from '../http/request';

const PREFIX = '/models/v1/';
const HEADERS = ['content-type', 'accept', 'openai-beta', 'traceparent'];
const STREAM = /"stream"\s*:\s*true/;

/** What of a request goes to the relay: path, query, bytes, and the few headers that an upstream may see. */
export function proxyRequest(request: GateRequest, method: 'GET' | 'POST'): ProxyRequest {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
  const [target = '', query] = splitQuery(request.url);
  const headers: Record<string, string> = {};
  for (const name of HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const bytes = bytesOf(request);
  const isText = isUtf8(bytes);
  return {
    method,
    path: target.slice(PREFIX.length) || '/',
    query: query ?? '',
    headers,
    body: bytes.toString(isText ? 'utf8' : 'base64'),
    encoding: isText ? 'utf8' : 'base64',
  };
}

const bytesOf = (request: GateRequest): Buffer => (Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));

function splitQuery(url: string): [string, string?] {
  const at = url.indexOf('?');
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at)];
}

/** Whether the caller asks for a stream: those are counted while they are open. */
export function asksForStream(request: GateRequest): boolean {
  const bytes = bytesOf(request);
  return bytes.includes('"stream"') && STREAM.test(bytes.toString('latin1'));
}
