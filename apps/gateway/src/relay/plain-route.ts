import type { FastifyReply } from 'fastify';
import type { Gate } from '../auth/gate';
import { unauthorized } from '../auth/principals';
import type { EndpointOptions } from '../routing/endpoint.decorator';
import { readAdmitted } from '../http/body/admitted-body';
import type { GateRequest } from '../http/request';
import type { ByteHolder } from '../limits/held-bytes';
import type { RelayDoor } from './relay-door';

export interface RelayParts {
  gate: Gate;
  bytes: ByteHolder;
  relay: RelayDoor;
}

/**
 * The relay's calls are answered in the hook that the gate stands in. Nest makes their route of the controller like any
 * other, so that the gate, the table of routes and the OpenAPI document know it; what it would do for each request costs
 * more than the gate does, and is nothing but what stands below.
 */
export const isRelayedPlainly = ({ method }: GateRequest, { relayed }: EndpointOptions): boolean =>
  relayed === true && method === 'POST';

/** For a request that the gate has let in. */
export async function relayPlainly(
  request: GateRequest,
  reply: FastifyReply,
  { gate, bytes, relay, endpoint, limit }: RelayParts & { endpoint: EndpointOptions; limit: number },
): Promise<void> {
  const { ctx } = request;
  if (!ctx) throw unauthorized();
  const held = bytes.open(ctx.spaceId ? { spaceId: ctx.spaceId } : { address: request.ip });
  request.body = await readAdmitted(request, request.raw, { held, limit });
  const confirmed = gate.confirm(request, endpoint);
  if (confirmed) await confirmed;
  await relay.post(ctx, request, reply);
}
