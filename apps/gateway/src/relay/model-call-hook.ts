import type { FastifyReply } from 'fastify';
import type { RequestAuthorizer } from '../auth/request-authorizer';
import { unauthorized } from '../auth/principals';
import type { EndpointOptions } from '../routing/endpoint.decorator';
import { readAdmitted } from '../http/body/body-reader';
import type { ApiRequest } from '../http/api-request';
import type { ByteHolder } from '../limits/byte-reservation';
import type { RelayProxy } from './relay-proxy';

export interface RelayParts {
  authorizer: RequestAuthorizer;
  bytes: ByteHolder;
  relay: RelayProxy;
}

/**
 * The relay's calls are answered in the hook that the gate stands in. Nest makes their route of the controller like any
 * other, so that the gate, the table of routes and the OpenAPI document know it; what it would do for each request
 * costs more than the gate does, and is nothing but what stands below.
 */
export const isRelayedPlainly = ({ method }: ApiRequest, { relayed }: EndpointOptions): boolean =>
  relayed === true && method === 'POST';

/** For a request that the gate has let in. */
export async function relayPlainly(
  request: ApiRequest,
  reply: FastifyReply,
  { authorizer, bytes, relay, endpoint, limit }: RelayParts & { endpoint: EndpointOptions; limit: number },
): Promise<void> {
  const { ctx } = request;
  if (!ctx) throw unauthorized();
  const reservation = bytes.open(ctx.spaceId ? { spaceId: ctx.spaceId } : { address: request.ip });
  request.body = await readAdmitted(request, request.raw, { reservation, limit });
  const confirmed = authorizer.confirm(request, endpoint);
  if (confirmed) await confirmed;
  await relay.post(ctx, request, reply);
}
