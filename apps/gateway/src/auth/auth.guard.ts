import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { JSON_LIMITS, isId, isPlainObject } from '@switchyard/kernel';
import { EndpointOptions, endpointOf } from '../routing/endpoint.decorator';
import { refuseUndeclaredQuery } from '../routing/undeclared-query';
import { idempotencyOf, idempotencyOfLarge } from '../routing/idempotency';
import { isLarge, parseJsonBody } from '../http/body/request-body';
import { decodeHeader } from '../http/decode-header';
import type { ApiRequest } from '../http/api-request';
import { RequestAuthorizer } from './request-authorizer';
import { unauthorized } from './principals';
import { RequestCause } from './request-cause';

/**
 * The second half of the gate, when the body is there: it is parsed and walked. A route that does not say that it is
 * public is closed to requests that the first half has not admitted.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly authorizer: RequestAuthorizer,
    private readonly cause: RequestCause,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const endpoint = endpointOf(context.getHandler());
    if (!endpoint || (endpoint.access !== 'public' && !request.ctx)) throw unauthorized();
    refuseUndeclaredQuery(request, context);
    const confirmed = this.authorizer.confirm(request, endpoint);
    return confirmed ? confirmed.then(() => this.takeCause(request, endpoint)) : this.takeCause(request, endpoint);
  }

  private takeCause(request: ApiRequest, endpoint: EndpointOptions): boolean | Promise<boolean> {
    const following = this.cause.take(request, endpoint);
    return following ? following.then(() => this.takeBody(request, endpoint)) : this.takeBody(request, endpoint);
  }

  private takeBody(request: ApiRequest, endpoint: EndpointOptions): boolean | Promise<boolean> {
    if (endpoint.body === 'stream' || endpoint.body === 'bytes') return true;
    const isLargeBody = isLarge(request.body);
    const body = parseJsonBody(request.body, request.headers, JSON_LIMITS.depth, endpoint.anyText);
    if (isLargeBody) return this.takeLarge(request, endpoint, body);
    request.body = body;
    const once = onceKeyOf(request, endpoint);
    if (once && request.ctx) request.ctx.idempotency = idempotencyOf(once.key, once.route, once.content);
    return true;
  }

  private async takeLarge(request: ApiRequest, endpoint: EndpointOptions, body: unknown): Promise<boolean> {
    request.body = await body;
    const once = onceKeyOf(request, endpoint);
    if (once && request.ctx) request.ctx.idempotency = await idempotencyOfLarge(once.key, once.route, once.content);
    return true;
  }
}

/** The same thing in either case; see `lowerIds`. */
const lowerId = (_: string, value: unknown): unknown => (isId(value) ? value.toLowerCase() : value);

interface OnceKey {
  key: string;
  route: string;
  content: unknown;
}

/** The idempotency key of a request, with what it stands for; null where there is none, or the route honours none. */
function onceKeyOf(request: ApiRequest, endpoint: EndpointOptions): OnceKey | null {
  if (!endpoint.idempotent) return null;
  const { body } = request;
  const inBody = endpoint.idempotent === 'body' && isPlainObject(body) ? body['idempotencyKey'] : undefined;
  const inHeader = request.headers['idempotency-key'];
  const key = typeof inBody === 'string' ? inBody : typeof inHeader === 'string' ? decodeHeader(inHeader) : undefined;
  if (key === undefined) return null;
  const content =
    isPlainObject(body) && endpoint.idempotent === 'body' ? { ...body, idempotencyKey: undefined } : (body ?? {});
  return {
    key,
    route: `${request.method} ${request.routeOptions.url ?? ''} ${JSON.stringify(request.params, lowerId)}`,
    content,
  };
}
