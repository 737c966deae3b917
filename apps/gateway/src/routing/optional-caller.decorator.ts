import { ExecutionContext, createParamDecorator } from '@nestjs/common';
import { type Ctx, serviceCtx } from '@switchyard/contracts';
import type { ApiRequest } from '../http/api-request';

/** The context of a request that needs no credential: the caller's where one was sent and honoured. */
export const OptionalCaller = createParamDecorator((_: unknown, context: ExecutionContext): Ctx => {
  const request = context.switchToHttp().getRequest<ApiRequest>();
  return request.ctx ?? { ...serviceCtx('gateway'), requestId: request.id };
});
