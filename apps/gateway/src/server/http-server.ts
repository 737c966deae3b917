import { FastifyAdapter } from '@nestjs/platform-fastify';
import { noteActivity } from '@switchyard/concurrency';
import { AppError, newId, toAppError } from '@switchyard/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { METHODS, type IncomingMessage, type ServerResponse } from 'node:http';
import { isInternal } from '../auth/internal-credential';
import type { EndpointOptions } from '../routing/endpoint.decorator';
import type { GatewayConfig } from '../gateway.config';
import type { ConnectionLimits } from '../limits/connection-limits';
import { COUNTED_AT_ONCE, isQueued, type UnreadResponses } from '../limits/unread-responses';
import { isRelayedPlainly, relayPlainly } from '../relay/model-call-hook';
import { API_VERSION, API_VERSION_HEADER } from '../http/api-version';
import { VERSION_WARNING_HEADER, deprecationHeaders, versionWarning } from '../http/deprecation-headers';
import { RequestTimeouts } from '../http/request-timeouts';
import { corsHeaders, isPreflight } from '../http/cors';
import { bodyAt, errorHeaders } from '../http/error-body';
import type { HttpServerDeps } from './http-server-deps';
import { isMediaType } from '../http/body/media-type';
import { REFUSED_PATH, routePath } from '../http/request-path';
import { closeAfter, isClosing, isAmbiguouslyFramed } from '../http/connection-close';
import type { ApiRequest } from '../http/api-request';
import { letGoOfBody, letSend, readAdmitted } from '../http/body/body-reader';
import { answerUnreadable } from '../http/malformed-request';
import type { UnmatchedRequests } from './unmatched-request';

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
export function createHttpServer(config: GatewayConfig, unmatchedRequests: UnmatchedRequests): FastifyAdapter {
  return new FastifyAdapter({
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    rewriteUrl: (request: IncomingMessage) =>
      routePath(request.url ?? '', { serveAtRoot: config.SERVE_AT_ROOT }) ?? REFUSED_PATH,
    trustProxy: config.TRUSTED_PROXIES > 0 ? config.TRUSTED_PROXIES : false,
    routerOptions: { maxParamLength: 256 },
    http: {
      headersTimeout: config.HEADER_TIMEOUT_MS,
      maxHeaderSize: 16_384,
      connectionsCheckingInterval: Math.min(5000, config.HEADER_TIMEOUT_MS / 2),
      requireHostHeader: false, // Node would execute what is pipelined behind its own refusal
    },
    requestTimeout: 0, // `RequestTimeouts` counts for itself: an upload may last longer than other bodies
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    logger: false,
    clientErrorHandler: (error, socket) => {
      answerUnreadable(error, socket, SECURITY_HEADERS, unmatchedRequests.count);
    },
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      void reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
      unmatchedRequests.refuse(new AppError('VALIDATION_ERROR', 'The path is not well-formed.'), request, reply);
    },
  });
}

const endpointOf = (request: FastifyRequest): EndpointOptions | undefined =>
  (request.routeOptions.config as { endpoint?: EndpointOptions }).endpoint;

/**
 * The first hook of all. Behind a request that leaves doubt where it ends, the connection is over: what was pipelined
 * after it is neither answered nor counted.
 */
export function watchConnections(fastify: FastifyInstance, connections: ConnectionLimits): void {
  const { server } = fastify;
  connections.watch(server);
  const waiting = new WeakMap<IncomingMessage, ServerResponse>();
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
  // Node would answer 417 by itself, without a body: what else is expected may be left unheeded (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  fastify.addHook('preClose', (done) => {
    connections.closeIdle();
    done();
  });
  fastify.addHook('onRequest', (request, _reply, next) => {
    if (isClosing(request.raw)) return;
    const response = waiting.get(request.raw);
    if (response)
      (request as ApiRequest).sendContinue = () => {
        response.writeContinue();
      };
    next();
  });
}

/** Fastify would bind a resource to each body that it reads, which costs more than the reading. */
function takeBodies(fastify: FastifyInstance, config: GatewayConfig, { bytes }: HttpServerDeps): void {
  fastify.removeAllContentTypeParsers();
  for (const method of WITH_BODY) fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  fastify.addHook('preValidation', (request: ApiRequest, reply, next) => {
    const endpoint = endpointOf(request);
    // Where nothing is there to take it, the refusal does not need the body.
    if (endpoint === undefined || !WITH_BODY.has(request.method) || !mayHaveBody(request)) {
      next();
      return;
    }
    if (endpoint.body === 'stream') {
      letSend(request);
      request.body = request.raw;
      next();
      return;
    }
    const { ctx } = request;
    const reservation = bytes.open(ctx?.spaceId ? { spaceId: ctx.spaceId } : { address: request.ip });
    readAdmitted(request, request.raw, { reservation, limit: config.BODY_LIMIT_BYTES }).then(
      (body) => {
        request.body = body;
        next();
      },
      (error: unknown) => {
        // The rest of it may come still.
        void reply.header('connection', 'close');
        next(error as Error);
      },
    );
  });
}

const WITH_BODY: ReadonlySet<string> = new Set(
  ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'].filter((method) => METHODS.includes(method)),
);

const mayHaveBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-type'] !== undefined ||
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] ?? '0') !== '0';

const isCounted = (payload: unknown, { raw }: FastifyReply): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && (payload.length >= COUNTED_AT_ONCE || isQueued(raw));

/**
 * Sends the response, or a refusal if the caller leaves too many bytes unread. The result of an idempotent call is sent
 * in any case.
 */
function admitted(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string | Buffer,
  unread: UnreadResponses,
): string | Buffer {
  const endpoint = endpointOf(request);
  const mayRefuse = endpoint !== undefined && !endpoint.unlimited && endpoint.idempotent === false;
  try {
    unread.take(reply.raw, payload.length, mayRefuse);
    return payload;
  } catch (thrown) {
    const error = toAppError(thrown);
    void reply
      .status(error.status)
      .removeHeader('content-length')
      // The response that is refused may have others.
      .headers({ ...SECURITY_HEADERS, ...errorHeaders(error) })
      .type('application/json; charset=utf-8');
    return JSON.stringify(bodyAt(request.originalUrl, error));
  }
}

export function registerHooks(fastify: FastifyInstance, config: GatewayConfig, parts: HttpServerDeps): void {
  const { authorizer, connections } = parts;
  takeBodies(fastify, config, parts);
  const requestTimeouts = new RequestTimeouts({ bodyMs: config.BODY_TIMEOUT_MS, stallMs: config.BODY_STALL_MS });
  fastify.addHook('onRequest', (request, reply, next) => {
    const endpoint = endpointOf(request);
    // A request of the NATS API is there as a whole.
    if (isInternal(request.raw)) noteActivity();
    else requestTimeouts.watch(request.raw, endpoint?.body === 'stream');
    void reply.headers(SECURITY_HEADERS);
    void reply.header('x-request-id', request.id);
    void reply.header(API_VERSION_HEADER, API_VERSION);
    // Only paths with a version, and those at the root, are rewritten.
    const warning = request.originalUrl === request.url ? null : versionWarning(request.originalUrl);
    if (warning !== null) void reply.header(VERSION_WARNING_HEADER, warning);
    if (endpoint?.deprecated) void reply.headers(deprecationHeaders(endpoint.deprecated));
    const { origin } = request.headers;
    if (origin !== undefined) void reply.headers(corsHeaders(origin, config.CORS_ORIGINS));
    if (isAmbiguouslyFramed(request.raw)) {
      closeAfter(request.raw);
      void reply.header('connection', 'close');
      next(new AppError('VALIDATION_ERROR', 'A header is missing or repeated that must appear exactly once.'));
      return;
    }
    if (isPreflight(request)) {
      void reply.status(204).send();
      return;
    }
    // Fastify would refuse it before anybody knows who asks for what. Without a type a body is refused where it needs
    // one.
    const type = request.headers['content-type'];
    if (type !== undefined && !isMediaType(type)) delete request.headers['content-type'];
    connections.enterRequest(request, reply, closeAfter);
    if (endpoint === undefined) {
      next();
      return;
    }
    const pass = (): void => {
      if (!isRelayedPlainly(request, endpoint)) next();
      else relayPlainly(request, reply, { endpoint, limit: config.BODY_LIMIT_BYTES, ...parts }).catch(next);
    };
    const admitted = authorizer.admit(request, reply, endpoint);
    if (admitted) admitted.then(pass, next);
    else pass();
  });
  fastify.addHook('onSend', (request, reply, payload, next) => {
    const { ctx } = request as ApiRequest;
    letGoOfBody(request);
    if (ctx?.answer.replayed) void reply.header('idempotency-replayed', 'true');
    next(null, isCounted(payload, reply) ? admitted(request, reply, payload, parts.unread) : payload);
  });
  fastify.addHook('onResponse', (request, _reply, next) => {
    connections.leaveRequest(request, (request as ApiRequest).ctx?.spaceId ?? null);
    next();
  });
}
