import type { ApiReply } from '../http/api-request';
import type { RelayedAnswer } from './relay-response-stream';

/** The platform's rate limits under the names that clients of OpenAI's API look for. */
export function rateHeaders(reply: ApiReply): Record<string, string> {
  const headers: Record<string, string> = {};
  const limit = reply.getHeader('ratelimit-limit');
  if (limit === undefined) return headers;
  headers['x-ratelimit-limit-requests'] = String(limit);
  headers['x-ratelimit-remaining-requests'] = String(reply.getHeader('ratelimit-remaining'));
  headers['x-ratelimit-reset-requests'] = `${String(reply.getHeader('ratelimit-reset'))}s`;
  return headers;
}

function headersOf(reply: ApiReply, { head }: RelayedAnswer): Record<string, string> {
  const headers = rateHeaders(reply);
  const set = reply.getHeaders();
  for (const name in set) if (set[name] !== undefined) headers[name] = String(set[name]);
  for (const name in head.headers) headers[name] = head.headers[name] ?? '';
  return headers;
}

/** Writes the answer as it arrives. Nothing is taken from the relay before the client has taken what came before. */
export function sendAnswer(reply: ApiReply, answer: RelayedAnswer): Promise<void> | undefined {
  const headers = headersOf(reply, answer);
  const { raw } = reply;
  // A write error is ours and gets the usual error response; the relay stops the call.
  try {
    raw.writeHead(answer.head.status, headers);
  } catch (error) {
    answer.drop();
    throw error;
  }
  reply.hijack();
  if (headers['content-length'] === undefined) raw.flushHeaders();
  return answer.pour(raw);
}
