import type { ProxyHead } from '@switchyard/contracts';
import type { StreamReader } from '@switchyard/messaging';
import type { GateReply } from '../http/request';

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

const text = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]));

/** Writes the answer as it arrives. The reader is asked for more only when the client has taken what it got. */
export async function sendBytes(reply: GateReply, head: ProxyHead, first: Uint8Array, reader: StreamReader<Uint8Array>): Promise<void> {
  const headers = { ...text(reply.getHeaders()), ...rateHeaders(reply), ...head.headers };
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(head.status, headers);
  if (first.byteLength > 0) raw.write(first);
  else raw.flushHeaders();
  while (await reader.more()) {
    const chunks = reader.takeReady();
    if (raw.destroyed) break;
    raw.cork();
    let isRoomy = true;
    for (const chunk of chunks) if (chunk.byteLength > 0) isRoomy = raw.write(chunk);
    raw.uncork();
    if (!isRoomy) await drained(raw);
  }
  raw.end();
}

function drained(raw: GateReply['raw']): Promise<void> {
  if (raw.destroyed || !raw.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      raw.off('drain', done).off('close', done);
      resolve();
    };
    raw.once('drain', done).once('close', done);
  });
}
