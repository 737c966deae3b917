import { readTraceparent, startSpan, traceIdOf, within } from '@switchyard/kernel';
import type { FastifyInstance } from 'fastify';
import type { ApiRequest } from './api-request';

/** The trace that the caller goes on with, or the request's own. Nothing else of the header is believed. */
export function traceparentOf(request: ApiRequest): string | undefined {
  if (request.span) return request.span.traceparent;
  const given = request.headers['traceparent'];
  return typeof given === 'string' && readTraceparent(given) ? given : undefined;
}

export const traceOf = (request: ApiRequest): string | undefined => traceIdOf(traceparentOf(request));

/** One span per request, from its first byte to the last one of its answer. Installed only where traces are on. */
export function traceRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request: ApiRequest, _reply, next) => {
    const route = request.routeOptions.url;
    const span = startSpan(route === undefined ? request.method : `${request.method} ${route}`, {
      kind: 'server',
      parent: traceparentOf(request),
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'url.path': request.url.split('?')[0],
        'switchyard.request.id': request.id,
      },
    });
    if (span) request.span = span;
    next();
  });
  // From here on work, reading the body included, belongs to the request's span.
  fastify.addHook('preValidation', (request: ApiRequest, _reply, next) => {
    within(request.span ?? null, next);
  });
  fastify.addHook('onResponse', (request: ApiRequest, reply, next) => {
    const { span, ctx } = request;
    span?.set({ 'http.response.status_code': reply.statusCode, 'switchyard.space.id': ctx?.spaceId ?? undefined });
    if (reply.statusCode >= 500) span?.fail(new Error(`status ${reply.statusCode}`));
    span?.end();
    next();
  });
}
