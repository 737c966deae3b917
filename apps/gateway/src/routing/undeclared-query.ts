import type { ExecutionContext } from '@nestjs/common';
import { Nothing, checkRequest } from '@switchyard/contracts';
import type { ApiRequest } from '../http/api-request';
import { takesQuery } from './handler-arguments';

/** Handlers whose query `ContractPipe` holds to its class. */
const declared = new WeakMap<object, boolean>();

function isDeclared(context: ExecutionContext): boolean {
  const handler = context.getHandler();
  let found = declared.get(handler);
  if (found === undefined) declared.set(handler, (found = takesQuery(context.getClass(), handler.name)));
  return found;
}

/**
 * A route beneath /api takes the query parameters that it declares and no others: where it declares none, any is
 * refused. Routes elsewhere speak protocols of their own, whose clients may add what they like.
 */
export function refuseUndeclaredQuery(request: ApiRequest, context: ExecutionContext): void {
  const query = request.query ?? {};
  if (Object.keys(query).length === 0 || !request.routeOptions.url?.startsWith('/api/')) return;
  if (!isDeclared(context)) checkRequest(Nothing, query);
}
