import type { Ctx } from '@switchyard/contracts';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { ActiveResponses } from '../auth/active-responses';

interface StreamedFile {
  headers: Readonly<Record<string, string>>;
  open: (signal: AbortSignal) => Promise<AsyncIterable<string | Uint8Array>>;
}

/**
 * Answers with a file of any length as it comes from its service. It takes one of its caller's streams before it is
 * opened, ends with the credential, and breaks off visibly where the service does.
 */
export async function streamFile(
  streams: ActiveResponses,
  ctx: Ctx,
  reply: FastifyReply,
  { headers, open }: StreamedFile,
): Promise<void> {
  const opening = new AbortController();
  let file: Readable | undefined;
  const leave = streams.enter(ctx, (reason) => {
    opening.abort(reason);
    file?.destroy(reason);
  });
  reply.raw.once('close', () => {
    opening.abort();
    leave();
  });
  try {
    const frames = await open(opening.signal);
    if (reply.raw.destroyed) return;
    opening.signal.throwIfAborted();
    file = Readable.from(frames, { objectMode: true });
    void reply.headers(headers).send(file);
  } catch (error) {
    leave();
    throw error;
  }
}
