import { Injectable } from '@nestjs/common';
import { AppError, isId, isPlainObject } from '@switchyard/kernel';
import {
  ANY_MEMBER,
  type AccessRule,
  type Ctx,
  type Identity,
  type SpaceStanding,
  makeCtx,
  refusalOf,
  spaceSuspended,
} from '@switchyard/contracts';
import type { EndpointOptions } from '../routing/endpoint.decorator';
import type { ApiReply, ApiRequest } from '../http/api-request';
import { traceparentOf } from '../http/request-span';
import { nothingHere } from '../http/route-table';
import { ConnectionLimits } from '../limits/connection-limits';
import { RateLimiter } from '../limits/rate-limiter';
import { type Credential, credentialOf } from './credential';
import { internalCredential, isInternal } from './internal-credential';
import type { Principal } from './principal-cache';
import { Principals, type Rights, unauthorized } from './principals';
import { isReachableOverNats } from './reachable-over-nats';

/** Another Space is nowhere, before anything is said of what the caller may do in it. */
function checkSpace(ctx: Ctx, params: unknown): void {
  const named = isPlainObject(params) ? params['spaceId'] : undefined;
  if (isId(named) && named.toLowerCase() !== ctx.spaceId)
    throw new AppError(
      'NOT_FOUND',
      'This credential opens no such Space. Switch to the Space first if it is one of yours.',
    );
}

function checkRights(ctx: Ctx, { access }: EndpointOptions): void {
  // The answer of an unknown path: others than operators must not learn of it.
  if (isForOperators(access) && ctx.operator === undefined) throw nothingHere();
  // A route that is public has no rule, and honours no key of an operator.
  const refusal = access === 'public' && ctx.credentialType !== 'operator_key' ? null : refusalOf(ruleOf(access), ctx);
  if (refusal !== null) throw new AppError('FORBIDDEN', refusal);
}

/** Sign-ins, the own account of a signed-in person and the routes of operators go on while the Space is suspended. */
function checkActive(space: SpaceStanding | undefined, { access }: EndpointOptions, { credentialType }: Ctx): void {
  const reason = space?.suspendedReason ?? null;
  if (reason === null || access === 'public' || access.operator !== undefined) return;
  if (access.withoutSpace === true && credentialType === 'jwt') return;
  throw spaceSuspended(reason);
}

const isForOperators = (access: EndpointOptions['access']): boolean =>
  access !== 'public' && access.operator !== undefined;

const ruleOf = (access: EndpointOptions['access']): AccessRule => (access === 'public' ? ANY_MEMBER : access);

/** An operator acts in no Space, whichever one the credential names. */
const asOperator = (principal: Principal): Identity => ({
  ...principal,
  spaceId: null,
  role: null,
  scopes: [],
  operator: principal.operatorRights,
});

/** A body may take a minute to arrive: what was believed before it is believed for so long. */
const RECHECK_AFTER_MS = 1000;

/** Credential, limits, role and scope of a request, by its headers alone: before a byte of its body is read. */
@Injectable()
export class RequestAuthorizer {
  constructor(
    private readonly principals: Principals,
    private readonly limiter: RateLimiter,
    private readonly connections: ConnectionLimits,
  ) {}

  /**
   * Sets the caller of the request, at once where the credential is known. Throws, or rejects with, what refuses it.
   */
  admit(request: ApiRequest, reply: ApiReply, endpoint: EndpointOptions): Promise<void> | undefined {
    const internal = internalCredential(request.raw);
    const isOpen = !endpoint.honoursCredential || request.headers.authorization === undefined;
    if (endpoint.access === 'public' && isOpen && !internal) {
      if (!endpoint.unlimited) this.limiter.takeAddress(request.ip, reply);
      return undefined;
    }
    const credential = internal ?? credentialOf(request);
    if (!credential) throw this.refuse(request, reply, unauthorized());
    try {
      const stranger = internal ? undefined : { address: request.ip, reply };
      const found = this.principals.resolve(credential, stranger);
      if (!(found instanceof Promise)) {
        this.enter(found, credential, request, reply, endpoint);
        return undefined;
      }
      return found.then(
        (principal) => {
          this.enter(principal, credential, request, reply, endpoint);
        },
        (error: unknown) => {
          throw this.refuse(request, reply, error);
        },
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') throw this.refuse(request, reply, error);
      throw error;
    }
  }

  /** When the body is there: the credential and the rights once more, should the body have taken its time. */
  confirm(request: ApiRequest, endpoint: EndpointOptions): Promise<void> | undefined {
    const { ctx } = request;
    if (!ctx || Date.now() - this.principals.verifiedAt(ctx) <= RECHECK_AFTER_MS) return undefined;
    const take = (rights: Rights | null): void => {
      this.principals.rebind(ctx, rights);
      checkActive(rights?.space, endpoint, ctx);
      checkRights(ctx, endpoint);
    };
    const found = this.principals.resolveAgain(ctx);
    if (found instanceof Promise) return found.then(take);
    take(found);
    return undefined;
  }

  /** Refusals without a known caller are counted by address. */
  private refuse(request: ApiRequest, reply: ApiReply, error: unknown): unknown {
    this.limiter.takeAddress(request.ip, reply);
    return error;
  }

  private enter(
    principal: Principal,
    credential: Credential,
    request: ApiRequest,
    reply: ApiReply,
    endpoint: EndpointOptions,
  ): void {
    this.limiter.takeCaller(principal, reply, isForOperators(endpoint.access));
    // Not earlier: a refused credential is not recorded.
    this.connections.recognize(request, reply, principal);
    // A key of an operator has no Space: where it is told who it is, it has its scopes.
    const isOperators = isForOperators(endpoint.access) || principal.credentialType === 'operator_key';
    const identity = isOperators ? asOperator(principal) : principal;
    const ctx = makeCtx(identity, { requestId: request.id, traceparent: traceparentOf(request) });
    // Before anything is refused: a refusal is recorded under its caller's name.
    request.ctx = ctx;
    this.principals.bind(ctx, credential, principal);
    // Credentials that open no Space hear so, whichever one a path names.
    if (ctx.spaceId !== null) checkSpace(ctx, request.params);
    checkActive(principal.space, endpoint, ctx);
    if (isInternal(request.raw) && !isReachableOverNats(request.routeOptions.url ?? '', endpoint)) throw nothingHere();
    checkRights(ctx, endpoint);
  }
}
