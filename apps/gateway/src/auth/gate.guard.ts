import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { AppError, isId, isPlainObject } from '@switchyard/kernel';
import { Ctx, Idempotency, hasScope, makeCtx, roleAtLeast } from '@switchyard/contracts';
import { EndpointOptions, endpointOf } from '../endpoint/endpoint.decorator';
import { idempotencyOf } from '../endpoint/idempotency';
import { GatewayConfig } from '../gateway.config';
import { parseJsonBody } from '../http/body';
import { headerText } from '../http/header-text';
import type { GateReply, GateRequest } from '../http/request';
import { traceparentOf } from '../http/request-span';
import { RateLimiter } from '../limits/rate-limiter';
import { readCredential } from './credential';
import { Principal } from './principal-cache';
import { Principals, unauthorized } from './principals';

/** Another Space is nowhere, before anything is said of what the caller may do in it. */
function checkSpace(ctx: Ctx, params: unknown): void {
  const named = isPlainObject(params) ? params['spaceId'] : undefined;
  if (isId(named) && named.toLowerCase() !== ctx.spaceId)
    throw new AppError(
      'NOT_FOUND',
      'This credential opens no such Space. Switch to the Space first if it is one of yours.',
    );
}

/**
 * The one gate of the platform: credential, limits, role and scope, then the body, in this order.
 * A route that does not say that it is public is closed.
 */
@Injectable()
export class GateGuard implements CanActivate {
  constructor(
    private readonly principals: Principals,
    private readonly limiter: RateLimiter,
    private readonly config: GatewayConfig,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<GateRequest>();
    const reply = http.getResponse<GateReply>();
    const endpoint = endpointOf(context.getHandler());
    if (endpoint?.public) {
      if (!endpoint.unlimited) this.limiter.takeAddress(request.ip, reply);
      this.takeBody(request, endpoint, undefined);
      return true;
    }
    const credential = readCredential(request.headers.authorization);
    if (!credential) throw this.refuse(request, reply, unauthorized());
    try {
      const found = this.principals.resolve(credential);
      if (!(found instanceof Promise)) return this.admit(found, request, reply, endpoint);
      return found.then(
        (principal) => this.admit(principal, request, reply, endpoint),
        (error: unknown) => {
          throw this.refuse(request, reply, error);
        },
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') throw this.refuse(request, reply, error);
      throw error;
    }
  }

  /** Answers that nobody answers for are counted by address. */
  private refuse(request: GateRequest, reply: GateReply, error: unknown): unknown {
    this.limiter.takeAddress(request.ip, reply);
    return error;
  }

  private admit(
    principal: Principal,
    request: GateRequest,
    reply: GateReply,
    endpoint: EndpointOptions | undefined,
  ): boolean {
    this.limiter.takeCaller(principal, reply);
    if (!endpoint) throw new AppError('FORBIDDEN', 'Nobody may use this.');
    const ctx = makeCtx(principal, { requestId: request.id, traceparent: traceparentOf(request) });
    // Before anything is refused: a refusal is recorded under its caller's name.
    request.ctx = ctx;
    checkSpace(ctx, request.params);
    this.checkRights(ctx, endpoint);
    this.takeBody(request, endpoint, ctx);
    return true;
  }

  private checkRights(ctx: Ctx, endpoint: EndpointOptions): void {
    const isSystem = ctx.credentialType === 'system_key';
    if (isSystem && endpoint.systemKey === undefined) {
      throw new AppError('FORBIDDEN', "An application's key may only emit its events.");
    }
    if (!isSystem && endpoint.systemKey === 'only') {
      throw new AppError('FORBIDDEN', "This needs the application's own key.");
    }
    // An application's key holds no scope but its own: what serves it beside others looks at each use by itself.
    const looksItself = isSystem && endpoint.systemKey === 'also';
    if (!looksItself && endpoint.scope !== undefined && !hasScope(ctx.scopes, endpoint.scope)) {
      throw new AppError('FORBIDDEN', `The key lacks the scope ${endpoint.scope}.`);
    }
    if (!isSystem && endpoint.role !== undefined && !roleAtLeast(ctx.role, endpoint.role)) {
      throw new AppError('FORBIDDEN', `This needs the role ${endpoint.role} or a higher one.`);
    }
  }

  private takeBody(request: GateRequest, endpoint: EndpointOptions, ctx: Ctx | undefined): void {
    if (endpoint.body === 'stream' || endpoint.body === 'bytes') return;
    request.body = parseJsonBody(request.body, request.headers, this.config.JSON_DEPTH, endpoint.anyText);
    if (ctx && endpoint.idempotent) ctx.idempotency = this.idempotency(request, endpoint);
  }

  private idempotency(request: GateRequest, endpoint: EndpointOptions): Idempotency | undefined {
    const { body } = request;
    const inBody = endpoint.idempotent === 'body' && isPlainObject(body) ? body['idempotencyKey'] : undefined;
    const inHeader = request.headers['idempotency-key'];
    const key = typeof inBody === 'string' ? inBody : typeof inHeader === 'string' ? headerText(inHeader) : undefined;
    if (key === undefined) return undefined;
    const content =
      isPlainObject(body) && endpoint.idempotent === 'body' ? { ...body, idempotencyKey: undefined } : (body ?? {});
    const route = `${request.method} ${request.routeOptions.url ?? ''} ${JSON.stringify(request.params)}`;
    return idempotencyOf(key, route, content);
  }
}
