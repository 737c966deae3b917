import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { actAsAccount } from '../auth/internal-credential';
import { MessageRequest } from './message-request';
import { type MessageAnswer, MessageResponse } from './message-response';

export interface InjectedRequest {
  account: string;
  method: string;
  /** Path and query, as they would stand in the first line of an HTTP request. */
  target: string;
  headers: Record<string, string>;
  body: Buffer;
}

export type InjectedAnswer = MessageAnswer;

/**
 * Carries a request out by the routes of this process, without a socket: what the HTTP server calls is called with
 * objects that do what routes ask of Node's. Resolves with the head of the answer.
 */
export function injectRequest(
  fastify: FastifyInstance,
  { account, ...request }: InjectedRequest,
  onBodyRead: () => void,
): Promise<InjectedAnswer> {
  return new Promise((resolve, reject) => {
    const parts = { ...request, remoteAddress: `nats ${account}` };
    const raw = new MessageRequest(parts, onBodyRead);
    const response = new MessageResponse(raw, { onAnswer: resolve, onBroken: reject });
    const incoming = raw as unknown as IncomingMessage;
    actAsAccount(incoming, account);
    fastify.routing(incoming, response as unknown as ServerResponse);
  });
}
