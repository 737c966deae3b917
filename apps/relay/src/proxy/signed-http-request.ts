import type { IncomingMessage } from 'node:http';
import {
  type ProxyCtx,
  type ProxyHead,
  RELAY_PROXY_HEADERS,
  RELAY_PROXY_PATH,
  proxySealedText,
} from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { MessageSigner } from '@switchyard/messaging';

const notOurs = (): AppError => new AppError('FORBIDDEN', 'The request did not come through the platform.');

/** The head of a call that came over HTTP, from a gateway of the version before. Throws where none sealed it. */
export function headOfHttp(
  encrypter: MessageSigner,
  { headers }: IncomingMessage,
): { head: ProxyHead; isSealed: boolean } {
  const ctx = ctxOf(headers[RELAY_PROXY_HEADERS.ctx]);
  const seal = headers[RELAY_PROXY_HEADERS.seal];
  const sender =
    typeof seal === 'string'
      ? encrypter.check(seal, RELAY_PROXY_PATH, Buffer.from(proxySealedText(headers)))
      : encrypter.checkIdentity(ctx, ctx.seal, 'relay');
  if (sender !== 'gateway') throw notOurs();
  return {
    head: {
      ctx,
      method: headers[RELAY_PROXY_HEADERS.method] === 'GET' ? 'GET' : 'POST',
      target: String(headers[RELAY_PROXY_HEADERS.target]),
      digest: String(headers[RELAY_PROXY_HEADERS.digest]),
      headers: headers as Record<string, string>,
    },
    isSealed: typeof seal === 'string',
  };
}

function ctxOf(carried: string | string[] | undefined): ProxyCtx {
  try {
    return JSON.parse(Buffer.from(String(carried), 'base64url').toString()) as ProxyCtx;
  } catch {
    throw notOurs();
  }
}
