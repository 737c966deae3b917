import { Injectable } from '@nestjs/common';
import { Ctx } from '@switchyard/contracts';
import { isJsonType, namesJson } from '@switchyard/kernel';
import { CatalogueStore } from '../catalogue/catalogue-store';
import { errorAnswer } from '../domain/relay-error-body';
import { checkPath, closedPath, isOpenMethod, meteringOf, opensPath } from '../domain/allowed-paths';
import { mapUpstreamError } from '../domain/upstream-error';
import { UpstreamRefused } from '../upstream/upstream-errors';
import { MeteredProxy } from './metered-proxy';
import { UncountedProxy } from './uncounted-proxy';
import type { CoalescingResponse } from './coalescing-response';
import { type ProxyRequest, notJson, typeOf } from './proxy-request';

/** The OpenAI-compatible relay: one request in, its answer out. */
@Injectable()
export class ProxyService {
  constructor(
    private readonly metered: MeteredProxy,
    private readonly passing: UncountedProxy,
    private readonly catalogue: CatalogueStore,
  ) {}

  /** Resolves when all of the answer is written. */
  handle(ctx: Ctx, request: ProxyRequest, answer: CoalescingResponse): Promise<void> {
    const path = checkPath(request.path);
    refuseCharset(request);
    this.refuseClosed(request.method, path);
    const metering = meteringOf(request.method, path);
    return metering === 'tokens'
      ? this.metered.handle(ctx, request, path, answer)
      : this.passing.handle(ctx, request, { path, metering, answer });
  }

  /**
   * Before anything is read or counted: which upstream is asked, and whether that one opens the path, is seen later.
   */
  private refuseClosed(method: string, path: string): void {
    if (!isOpenMethod(method, path)) throw closedPath();
    for (const { paths } of this.catalogue.current.upstreams.values()) if (opensPath(paths, path)) return;
    throw closedPath();
  }
}

/** An upstream's refusal may have a status that none of our codes has; everything else is the gateway's to word. */
export function answerRefusal(error: unknown, answer: CoalescingResponse): boolean {
  if (!(error instanceof UpstreamRefused)) return false;
  const { status, headers, body } = errorAnswer(mapUpstreamError(error.answer, new Date()));
  void answer.begin({ status, headers }, Buffer.from(body));
  answer.end();
  return true;
}

/** Bodies are read as UTF-8, and an upstream may do otherwise: both must see the same fields. */
function refuseCharset({ headers, body }: ProxyRequest): void {
  const type = typeOf(headers);
  if (body.length > 0 && namesJson(type) && !isJsonType(type)) throw notJson();
}
