import { Injectable } from '@nestjs/common';
import { CAUSE_HEADER, type Ctx, EnvelopeCauseCalls } from '@switchyard/contracts';
import { invalid, isId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { ApiRequest } from '../http/api-request';
import type { EndpointOptions } from '../routing/endpoint.decorator';

const NAME = 'Switchyard-Cause';

/** A POST that only reads, such as a search, has a scope that reads. */
function changesSomething({ method }: ApiRequest, { access }: EndpointOptions): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return access === 'public' || access.scope?.endsWith(':read') !== true;
}

/**
 * Makes an envelope the cause of a request that names it. Emissions and runs of the request are one deeper in the chain
 * of the envelope, so loops through a service of the user end at the same limits as all others.
 */
@Injectable()
export class RequestCause {
  constructor(private readonly bus: Bus) {}

  take(request: ApiRequest, endpoint: EndpointOptions): Promise<void> | undefined {
    const id = request.headers[CAUSE_HEADER];
    const { ctx } = request;
    if (id === undefined || !ctx || ctx.spaceId === null || !changesSomething(request, endpoint)) return undefined;
    if (typeof id !== 'string' || !isId(id)) throw invalid(NAME, 'must be the id of an envelope');
    return this.follow(ctx, id.toLowerCase());
  }

  private async follow(ctx: Ctx, id: string): Promise<void> {
    const { found, correlationId, depth, root } = await this.bus.call(EnvelopeCauseCalls.find, ctx, { id });
    if (!found || correlationId === null) throw invalid(NAME, 'is no envelope of this Space');
    ctx.causationId = id;
    ctx.correlationId = correlationId;
    ctx.depth = depth;
    ctx.lineage = { root: root ?? correlationId, parent: `emission:${id}` };
  }
}
