import type { IncomingMessage } from 'node:http';
import { type ProxyHead, RELAY_PROXY_HEADERS, RELAY_PROXY_PATH, proxySealedText } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { MessageSigner } from '@switchyard/messaging';

const notOurs = (): AppError => new AppError('FORBIDDEN', 'The request did not come through the platform.');

/**
 * The head of a call over HTTP. A gateway of 0.1.0 makes these for five seconds after a relay refused its connection.
 * Remove this in 0.3.0. Throws FORBIDDEN unless a gateway signed it.
 */
export function headOfHttp(signer: MessageSigner, { headers }: IncomingMessage): ProxyHead {
  const seal = headers[RELAY_PROXY_HEADERS.seal];
  if (typeof seal !== 'string') throw notOurs();
  if (signer.check(seal, RELAY_PROXY_PATH, Buffer.from(proxySealedText(headers))) !== 'gateway') throw notOurs();
  return {
    ctx: ctxOf(headers[RELAY_PROXY_HEADERS.ctx]),
    method: headers[RELAY_PROXY_HEADERS.method] === 'GET' ? 'GET' : 'POST',
    target: String(headers[RELAY_PROXY_HEADERS.target]),
    digest: String(headers[RELAY_PROXY_HEADERS.digest]),
    headers: headers as Record<string, string>,
  };
}

function ctxOf(carried: string | string[] | undefined): ProxyHead['ctx'] {
  try {
    return JSON.parse(Buffer.from(String(carried), 'base64url').toString()) as ProxyHead['ctx'];
  } catch {
    throw notOurs();
  }
}
