import type { FastifyRequest } from 'fastify';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const HEADERS =
  'Authorization, Content-Type, Accept, Idempotency-Key, If-Match, Last-Event-ID, X-Request-Id, X-Service-Stream-Protocol, X-Api-Key, traceparent, Switchyard-Cause, Mcp-Session-Id, MCP-Protocol-Version';
const EXPOSED =
  'X-Request-Id, X-Api-Version, X-Api-Version-Warning, Deprecation, Sunset, Idempotency-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Service-Stream-Protocol, X-Turn-Id, X-Pagination-Next';

/** Exactly the origins of the list; an unknown one gets no permission, and no hint. */
export function corsHeaders(origin: string, allowed: readonly string[]): Record<string, string> {
  if (!allowed.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': HEADERS,
    'access-control-expose-headers': EXPOSED,
    'access-control-max-age': '600',
  };
}

export const isPreflight = (request: FastifyRequest): boolean =>
  request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
