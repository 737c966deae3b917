import { Injectable } from '@nestjs/common';
import { type AppError, failpoint, toAppError } from '@switchyard/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../limits/rate-limiter';
import { credentialOf } from './credential';
import type { Principal } from './principal-cache';
import { Principals } from './principals';

/**
 * Requests refused before authentication count against the rate limit: of the caller if the credential is cached as
 * valid, else of the address. No look-up is made for a refusal.
 */
@Injectable()
export class PreAuthRateLimit {
  constructor(
    private readonly principals: Principals,
    private readonly limiter: RateLimiter,
  ) {}

  /** The refusal to answer with: the given one, or RATE_LIMITED where it is one too many. */
  async count(refusal: AppError, request: FastifyRequest, reply: FastifyReply): Promise<AppError> {
    const caller = await this.callerOf(request);
    await failpoint('gateway.refusing');
    try {
      if (caller) this.limiter.takeCaller(caller, reply, false);
      else this.limiter.takeAddress(request.ip, reply);
      return refusal;
    } catch (error) {
      return toAppError(error);
    }
  }

  /** Null also if the credential cannot be looked up: the refusal does not depend on it. */
  private async callerOf(request: FastifyRequest): Promise<Principal | null> {
    const credential = credentialOf(request);
    if (!credential) return null;
    try {
      return await this.principals.find(credential);
    } catch {
      return null;
    }
  }
}
