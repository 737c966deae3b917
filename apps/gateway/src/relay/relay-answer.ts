import type { Dispatcher } from 'undici';
import type { GateReply } from '../http/request';

/** What concerns one hop only, or is the gateway's own to say. */
const NOT_PASSED = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

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

function headersOf(reply: GateReply, answer: Dispatcher.ResponseData): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) headers[name] = String(value);
  for (const [name, value] of Object.entries(rateHeaders(reply))) headers[name] = value;
  for (const [name, value] of Object.entries(answer.headers))
    if (typeof value === 'string' && !NOT_PASSED.has(name)) headers[name] = value;
  return headers;
}

/** Writes the answer as it arrives. Nothing is taken from the relay before the client has taken what came before. */
export async function sendAnswer(reply: GateReply, answer: Dispatcher.ResponseData): Promise<void> {
  const headers = headersOf(reply, answer);
  const { raw } = reply;
  // What cannot be written is an error of ours, which is answered as any other; the relay need not go on for it.
  try {
    raw.writeHead(answer.statusCode, headers);
  } catch (error) {
    answer.body.on('error', () => undefined).destroy();
    throw error;
  }
  reply.hijack();
  if (headers['content-length'] === undefined) raw.flushHeaders();
  await pour(answer.body, raw);
  raw.end();
}

/** Listens instead of iterating: a small answer then costs half. A reader that has left is told by the signal. */
function pour(body: Dispatcher.ResponseData['body'], raw: GateReply['raw']): Promise<void> {
  return new Promise((resolve, reject) => {
    const resume = (): void => {
      body.resume();
    };
    const done = (error?: Error | null): void => {
      body.off('data', pass).off('end', done).off('error', done).off('close', broken);
      raw.off('drain', resume);
      if (error) reject(error);
      else resolve();
    };
    const broken = (): void => {
      done(new Error('the relay broke the answer off'));
    };
    const pass = (chunk: Buffer): void => {
      if (raw.destroyed || raw.writableEnded) {
        done();
        body.on('error', () => undefined).destroy();
      } else if (!raw.write(chunk)) body.pause();
    };
    raw.on('drain', resume);
    body.on('data', pass).once('end', done).once('error', done).once('close', broken);
  });
}
