import { ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientNetwork } from '../limits/client-network';

/** The rate limit key of a client without a credential. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  clientNetwork(context.switchToHttp().getRequest<FastifyRequest>().ip),
);
