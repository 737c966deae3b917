import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gate } from '../auth/gate';
import { unauthorized } from '../auth/principals';
import type { EndpointOptions } from '../endpoint/endpoint.decorator';
import type { GateRequest } from '../http/request';
import type { RelayDoor } from './relay-door';

/**
 * The relay's calls are answered by Fastify itself. Nest makes their route of the controller like any other, so that the
 * gate, the table of routes and the OpenAPI document know it; what it would run for each request (its guard, pipes,
 * interceptors and observables) costs as much as the gate does, and does nothing here but what stands below.
 */
export function serveRelayPlainly(fastify: FastifyInstance, { gate, relay }: { gate: Gate; relay: RelayDoor }): void {
  fastify.addHook('onRoute', (route) => {
    const { endpoint } = (route.config ?? {}) as { endpoint?: EndpointOptions };
    if (!endpoint?.relayed || route.method !== 'POST') return;
    route.handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { ctx } = request as GateRequest;
      if (!ctx) throw unauthorized();
      const confirmed = gate.confirm(request, endpoint);
      if (confirmed) await confirmed;
      await relay.post(ctx, request, reply);
    };
  });
}
