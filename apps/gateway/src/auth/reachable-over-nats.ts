import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shapeOf } from '../http/route-table';
import type { EndpointOptions } from '../routing/endpoint.decorator';
import { isInternal } from './internal-credential';

/** By the paths of routes: sign-ins, and what is a stream, a file or a protocol of its own. */
const CLOSED = [
  /^\/api\/auth\/(?!me$)/,
  /^\/(?!api\/|models\/)/,
  /^\/api\/activity\/stream$/,
  /^\/api\/datasets\/:\w+\/(?:import|export)$/,
];

/** Whether the NATS API leads to a route. */
export const isReachableOverNats = (route: string, { access, body }: EndpointOptions): boolean =>
  access !== 'public' &&
  access.operator === undefined &&
  body !== 'stream' &&
  !CLOSED.some((pattern) => pattern.test(route));

/** Tells of a request whether it came over NATS and the NATS API leads to no method of its path. To be called before routes are made. */
export function pathsHiddenOverNats(fastify: FastifyInstance): (request: FastifyRequest, url: string) => boolean {
  const shown = new Set<string>();
  fastify.addHook('onRoute', ({ url, config }) => {
    const { endpoint } = (config ?? {}) as { endpoint?: EndpointOptions };
    if (endpoint && isReachableOverNats(url, endpoint)) shown.add(shapeOf(url));
  });
  return (request, url) => isInternal(request.raw) && !shown.has(shapeOf(url));
}
