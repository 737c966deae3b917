import { ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientNetwork } from '../limits/client-network';

/** What attempts of this client are counted by, where it has shown no credential. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  clientNetwork(context.switchToHttp().getRequest<FastifyRequest>().ip),
);
