import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppError, newId } from '@switchyard/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { EndpointOptions } from '../endpoint/endpoint.decorator';
import type { GatewayConfig } from '../gateway.config';
import { Arrivals } from './arrivals';
import { readBytes } from './body';
import { corsHeaders, isPreflight } from './cors';
import { isMediaType } from './media-type';
import { REFUSED_PATH, routePath } from './paths';
import { hasRepeatedHeader } from './repeated-header';
import type { GateRequest } from './request';
import { answerUnreadable } from './unreadable';
import type { Unrouted } from './unrouted';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cache-control': 'no-store',
};

function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
}

/** The HTTP server itself: framing, limits, request ids and the headers that every answer carries. */
export function makeDoor(config: GatewayConfig, unrouted: Unrouted): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: 2 ** 40, // the parser below counts for itself: a stream has another limit than a JSON body
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    rewriteUrl: (request: IncomingMessage) =>
      routePath(request.url ?? '', { serveAtRoot: config.SERVE_AT_ROOT }) ?? REFUSED_PATH,
    trustProxy: config.TRUSTED_PROXIES > 0 ? config.TRUSTED_PROXIES : false,
    routerOptions: { maxParamLength: 256 },
    http: { headersTimeout: 10_000, maxHeaderSize: 16_384, connectionsCheckingInterval: 5000 },
    requestTimeout: 0, // `Arrivals` counts for itself: an upload may last longer than other bodies
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    logger: false,
    clientErrorHandler: (error, socket) => {
      answerUnreadable(error, socket, SECURITY_HEADERS, unrouted.count);
    },
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      void reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
      unrouted.refuse(new AppError('VALIDATION_ERROR', 'The path is not well-formed.'), request, reply);
    },
  });
}

export function furnishDoor(fastify: FastifyInstance, config: GatewayConfig): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    '*',
    (request: FastifyRequest, payload: IncomingMessage, done: (error: Error | null, body?: unknown) => void) => {
      const endpoint = request.routeOptions.config as { endpoint?: EndpointOptions };
      if (endpoint.endpoint?.body === 'stream') {
        done(null, payload);
        return;
      }
      const declared = request.headers['content-length'];
      readBytes(payload, config.BODY_LIMIT_BYTES, declared === undefined ? undefined : Number(declared)).then(
        (bytes) => {
          done(null, bytes);
        },
        (error: unknown) => {
          done(error as Error);
        },
      );
    },
  );
  const arrivals = new Arrivals({ bodyMs: config.BODY_TIMEOUT_MS, uploadStallMs: config.UPLOAD_STALL_MS });
  fastify.addHook('onRequest', (request, reply, next) => {
    const { endpoint } = request.routeOptions.config as { endpoint?: EndpointOptions };
    arrivals.watch(request.raw, endpoint?.body === 'stream');
    void reply.headers(SECURITY_HEADERS);
    void reply.header('x-request-id', request.id);
    const { origin } = request.headers;
    if (origin !== undefined) void reply.headers(corsHeaders(origin, config.CORS_ORIGINS));
    if (hasRepeatedHeader(request.raw)) {
      next(new AppError('VALIDATION_ERROR', 'A header is repeated that may appear only once.'));
      return;
    }
    if (isPreflight(request)) {
      void reply.status(204).send();
      return;
    }
    // Fastify would refuse it before anybody knows who asks for what. Without a type a body is refused where it needs one.
    const type = request.headers['content-type'];
    if (type !== undefined && !isMediaType(type)) delete request.headers['content-type'];
    next();
  });
  fastify.addHook('onSend', (request, reply, _payload, next) => {
    if ((request as GateRequest).ctx?.answer.replayed) void reply.header('idempotency-replayed', 'true');
    next();
  });
}
