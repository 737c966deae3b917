import type { INestApplicationContext } from '@nestjs/common';
import type { AppError } from '@switchyard/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../limits/rate-limiter';
import { ErrorFilter } from './error.filter';
import type { CountAddress } from '../http/malformed-request';

/** Handles requests that match no route. */
export interface UnmatchedRequests {
  refuse(error: AppError, request: FastifyRequest, reply: FastifyReply): void;
  count: CountAddress;
}

/** The door is made before the application that it leads to: that one is asked for when the first request needs it. */
export const unroutedOf = (app: () => INestApplicationContext): UnmatchedRequests => ({
  refuse: (error, request, reply) => {
    app().get(ErrorFilter, { strict: false }).send(error, request, reply);
  },
  count: (address, headers) => {
    app().get(RateLimiter, { strict: false }).takeAddress(address, headers);
  },
});
