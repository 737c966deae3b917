import { Injectable } from '@nestjs/common';
import { Ctx, type ProxyAnswer } from '@switchyard/contracts';
import { cleanText, isPlainObject, namesJson } from '@switchyard/kernel';
import { CatalogueStore } from '../catalogue/catalogue-store';
import { Candidate, CatalogueModel } from '../domain/catalogue';
import { candidatesFor, openAt } from '../domain/upstream-candidates';
import { modelInForm } from '../domain/multipart-model';
import { parseRelayBody, bodyFor } from '../domain/relay-body';
import { requestHeaders, responseHeaders } from '../domain/forwarded-headers';
import { Metering } from '../domain/allowed-paths';
import { unavailable } from '../domain/upstream-error';
import { ReportedUsage, findUsage } from '../domain/upstream-usage';
import { CallAdmission } from '../metering/call-admission';
import { Ended, MeteredCall } from '../metering/metered-call';
import { RelayConfig } from '../relay.config';
import { readEarly } from '../upstream/response-body';
import { UpstreamClient, UpstreamRequest } from '../upstream/upstream-client';
import type { CoalescingResponse } from './coalescing-response';
import { type ProxyRequest, typeOf } from './proxy-request';

interface Target {
  candidates: readonly Candidate[];
  body: (candidate: Candidate) => string | Buffer | null;
}

/**
 * Sounds, pictures and every other path: byte for byte to the upstream and back, for what it says they use or a flat
 * price.
 */
@Injectable()
export class UncountedProxy {
  constructor(
    private readonly admission: CallAdmission,
    private readonly upstreams: UpstreamClient,
    private readonly catalogue: CatalogueStore,
    private readonly config: RelayConfig,
  ) {}

  async handle(
    ctx: Ctx,
    request: ProxyRequest,
    { path, metering, answer }: { path: string; metering: Metering; answer: CoalescingResponse },
  ): Promise<void> {
    const target = this.targetOf(request);
    const candidates = openAt(target.candidates, path);
    const [first] = candidates;
    if (!first) throw unavailable();
    if (metering !== 'free') await this.admission.checkModel(ctx, first.model.id);
    const price = metering === 'free' ? 0 : this.config.RELAY_FLAT_TOKENS;
    const call = metering === 'free' ? null : await this.admission.admitFlat(ctx, first, price, { source: 'relay' });
    const headers = requestHeaders(request.headers, call?.traceparent);
    const send = (candidate: Candidate): UpstreamRequest => ({
      spaceId: ctx.spaceId,
      method: request.method,
      path,
      query: request.query,
      headers,
      body: target.body(candidate),
      expects: 'bytes',
    });
    try {
      const opened = await this.upstreams.open(candidates, send, ctx.signal);
      if (opened.kind !== 'bytes') throw new Error('bytes were asked for');
      const head = { status: opened.status, headers: responseHeaders(opened.headers) };
      if (call && namesJson(typeOf(opened.headers))) await this.whole(ctx, { call, opened, head, answer });
      else {
        await call?.settle(flat(opened.candidate));
        await answer.begin(head, new Uint8Array());
        for await (const bytes of opened.body) {
          await answer.write(bytes);
          if (answer.isClosed) return;
        }
      }
    } finally {
      await call?.release();
    }
  }

  /** A JSON answer may say what it has used: it is read before it is passed on, and paid by that. */
  private async whole(
    ctx: Ctx,
    {
      call,
      opened: { candidate, body },
      head,
      answer,
    }: {
      call: MeteredCall;
      opened: { candidate: Candidate; body: AsyncIterableIterator<Buffer> };
      head: ProxyAnswer;
      answer: CoalescingResponse;
    },
  ): Promise<void> {
    const { early, isWhole, rest } = await readEarly(body).catch(async (error: unknown) => {
      // A client that disconnects pays for an answer that has started; an answer interrupted by the upstream is free.
      if (ctx.signal.aborted) await call.settle({ ...flat(candidate), outcome: 'aborted' });
      throw unavailable(error);
    });
    await call.settle({ ...flat(candidate), usage: isWhole ? usageIn(early) : null });
    try {
      await answer.begin(head, early);
      for (let next = await rest.next(); !next.done && !answer.isClosed; next = await rest.next())
        await answer.write(next.value);
    } finally {
      await rest.return?.();
    }
  }

  /**
   * A JSON body that names a model of the catalogue goes where that model lives; the rest, forms too, to the default
   * upstream. The name is in the books in any case.
   */
  private targetOf(request: ProxyRequest): Target {
    const { current } = this.catalogue;
    const bytes = request.body.length === 0 ? null : request.body;
    const isObject = namesJson(typeOf(request.headers));
    const named = bytes && (isObject ? modelIn(bytes) : modelInForm(typeOf(request.headers), bytes));
    if (named !== null && bytes && isObject && current.models.has(named)) {
      const body = parseRelayBody(bytes.toString('utf8'));
      return {
        candidates: candidatesFor(current, named),
        body: (candidate) => bodyFor(body, { model: candidate.upstreamModel, addUsage: false }),
      };
    }
    const upstream = current.upstreams.get(current.defaultUpstream);
    if (!upstream) return { candidates: [], body: () => bytes };
    const id = named === null ? 'unnamed' : cleanText(named);
    const model = current.models.get(id) ?? { ...PLAIN, id };
    return { candidates: [{ upstream, upstreamModel: model.id, model }], body: () => bytes };
  }
}

/** Stands in for a model that the catalogue does not know. */
const PLAIN: Omit<CatalogueModel, 'id'> = {
  ownedBy: 'upstream',
  routes: [],
  fallbacks: [],
  contextWindow: 1,
  maxOutputTokens: 0,
  capabilities: [],
  inputPrice: 0,
  outputPrice: 0,
  embeddingDimensions: null,
};

const flat = (candidate: Candidate): Ended => ({ candidate, usage: null, written: [], outcome: 'completed' });

function usageIn(bytes: Buffer): ReportedUsage | null {
  if (!bytes.includes('"usage"')) return null;
  try {
    return findUsage(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

function modelIn(bytes: Buffer): string | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isPlainObject(value) && typeof value['model'] === 'string' ? value['model'].slice(0, 200) : null;
  } catch {
    return null;
  }
}
