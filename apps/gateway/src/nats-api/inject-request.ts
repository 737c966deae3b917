import type { FastifyInstance } from 'fastify';
import { type DispatchFunc, type Response, inject } from 'light-my-request';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { actAsAccount } from '../auth/internal-credential';

export interface InjectedRequest {
  account: string;
  method: string;
  /** Path and query, as they would stand in the first line of an HTTP request. */
  target: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface InjectedAnswer {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: Readable;
  /** As a client that closes its connection. */
  leave(): void;
}

/** A stream looks for a socket to tune; there is none. */
const withoutSocket = (response: ServerResponse): void => {
  const socket = response.socket as { setNoDelay?: () => void } | null;
  if (socket) socket.setNoDelay = () => undefined;
};

/**
 * Carries a request out by the routes of this process, without a socket. Resolves with the head of the answer; the body
 * is read only as fast as it is taken.
 */
export function injectRequest(
  fastify: FastifyInstance,
  request: InjectedRequest,
  onBodyRead: () => void,
): Promise<InjectedAnswer> {
  const { account, method, target, headers, body } = request;
  let response: ServerResponse | undefined;
  const dispatch: DispatchFunc = (raw, answer) => {
    // Not through the client's options, which would resolve dot segments.
    raw.url = target;
    actAsAccount(raw, account);
    raw.once('end', onBodyRead);
    response = answer;
    withoutSocket(answer);
    fastify.routing(raw, answer);
  };
  return new Promise((resolve, reject) => {
    const options = {
      method: method as 'GET',
      url: '/',
      headers,
      remoteAddress: `nats ${account}`,
      validate: false,
      payloadAsStream: true,
      ...(body.length > 0 ? { payload: body } : {}),
    };
    inject(dispatch, options, (error: Error | undefined, answer: Response | undefined) => {
      if (error || !answer) {
        reject(error ?? new Error('a request ended without an answer'));
        return;
      }
      resolve({
        status: answer.statusCode,
        headers: answer.headers,
        body: answer.stream(),
        leave: () => response?.destroy(),
      });
    });
  });
}
