import { traceIdOf } from '@switchyard/kernel';
import type { Logger, Metrics } from '@switchyard/service';
import type { FastifyInstance } from 'fastify';
import type { ApiRequest } from './api-request';

const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Counts and times every answer by its route, never by its path: a label must not grow with the users. */
export function recordRequestMetrics(fastify: FastifyInstance, metrics: Metrics, logger: Logger): void {
  const seconds = metrics.histogram(
    'switchyard_http_request_seconds',
    'Time from a request until its response was sent, by route.',
    ['method', 'route', 'status'],
    BUCKETS,
  );
  let open = 0;
  metrics.gauge(
    'switchyard_http_requests_open',
    'Requests whose response is not complete yet, streams included.',
    [],
    (gauge) => {
      gauge.set(open);
    },
  );
  fastify.addHook('onRequest', (_request, reply, next) => {
    open += 1;
    // Fastify reports no response if its client leaves before the end.
    reply.raw.once('close', () => {
      open -= 1;
    });
    next();
  });
  fastify.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'none';
    seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    const { ctx } = request as ApiRequest;
    logger.debug(
      {
        requestId: request.id,
        traceId: traceIdOf(ctx?.traceparent),
        spaceId: ctx?.spaceId,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
    next();
  });
}
