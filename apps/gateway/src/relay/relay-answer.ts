import type { GateReply } from '../http/request';
import type { RelayedAnswer } from './relayed-answer';

/** The platform's rate limits under the names that clients of OpenAI's API look for. */
export function rateHeaders(reply: GateReply): Record<string, string> {
  const headers: Record<string, string> = {};
  const limit = reply.getHeader('ratelimit-limit');
  if (limit === undefined) return headers;
  headers['x-ratelimit-limit-requests'] = String(limit);
  headers['x-ratelimit-remaining-requests'] = String(reply.getHeader('ratelimit-remaining'));
  headers['x-ratelimit-reset-requests'] = `${String(reply.getHeader('ratelimit-reset'))}s`;
  return headers;
}

function headersOf(reply: GateReply, { head }: RelayedAnswer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) headers[name] = String(value);
  for (const [name, value] of Object.entries(rateHeaders(reply))) headers[name] = value;
  for (const [name, value] of Object.entries(head.headers)) headers[name] = value;
  return headers;
}

/** Writes the answer as it arrives. Nothing is taken from the relay before the client has taken what came before. */
export async function sendAnswer(reply: GateReply, answer: RelayedAnswer): Promise<void> {
  const headers = headersOf(reply, answer);
  const { raw } = reply;
  // What cannot be written is an error of ours, which is answered as any other; the relay need not go on for it.
  try {
    raw.writeHead(answer.head.status, headers);
  } catch (error) {
    answer.drop();
    throw error;
  }
  reply.hijack();
  if (headers['content-length'] === undefined) raw.flushHeaders();
  await answer.pour(raw);
}
