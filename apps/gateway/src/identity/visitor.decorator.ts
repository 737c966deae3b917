import { ExecutionContext, createParamDecorator } from '@nestjs/common';
import { type Ctx, serviceCtx } from '@switchyard/contracts';
import type { FastifyRequest } from 'fastify';

/** The context of somebody who has shown no credential yet. */
export const Visitor = createParamDecorator((_: unknown, context: ExecutionContext): Ctx => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { ...serviceCtx('gateway'), requestId: request.id };
});
