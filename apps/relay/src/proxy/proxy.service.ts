import { Injectable } from '@nestjs/common';
import { Ctx } from '@switchyard/contracts';
import { CatalogueStore } from '../catalogue/catalogue-store';
import { errorAnswer } from '../domain/relay-error-body';
import { checkPath, meteringOf, refuseAccountPath } from '../domain/relay-path';
import { mapUpstreamError } from '../domain/upstream-error';
import { UpstreamRefused } from '../upstream/upstream-errors';
import { MeteredProxy } from './metered-proxy';
import { PassThrough } from './pass-through';
import { ProxyRequest, RelayFrame } from './relay-frame';

/** The OpenAI-compatible relay: one request in, the head and the bytes of its answer out. */
@Injectable()
export class ProxyService {
  constructor(
    private readonly metered: MeteredProxy,
    private readonly passing: PassThrough,
    private readonly catalogue: CatalogueStore,
  ) {}

  async *handle(ctx: Ctx, request: ProxyRequest): AsyncGenerator<RelayFrame> {
    try {
      const path = checkPath(request.path);
      if (!this.catalogue.current.openAccountPaths) refuseAccountPath(request.method, path);
      const metering = meteringOf(request.method, path);
      if (metering === 'tokens') yield* this.metered.handle(ctx, request, path);
      else yield* this.passing.handle(ctx, request, path, metering);
    } catch (error) {
      // An upstream's refusal may have a status that none of our codes has; everything else is the gateway's to word.
      if (!(error instanceof UpstreamRefused)) throw error;
      const { status, headers, body } = errorAnswer(mapUpstreamError(error.answer, new Date()));
      yield { head: { status, headers }, bytes: Buffer.from(body) };
    }
  }
}
