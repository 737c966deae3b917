import { Injectable } from '@nestjs/common';
import { Ctx } from '@switchyard/contracts';
import { isPlainObject } from '@switchyard/kernel';
import { CatalogueStore } from '../catalogue/catalogue-store';
import { Candidate, CatalogueModel } from '../domain/catalogue';
import { candidatesFor } from '../domain/candidates';
import { parseRelayBody, bodyFor } from '../domain/relay-body';
import { requestHeaders, responseHeaders } from '../domain/relay-headers';
import { Metering } from '../domain/relay-path';
import { unavailable } from '../domain/upstream-error';
import { AdmissionDesk } from '../metering/admission-desk';
import { MeteredCall } from '../metering/metered-call';
import { RelayConfig } from '../relay.config';
import { UpstreamClient, UpstreamRequest } from '../upstream/upstream-client';
import { ProxyRequest, RelayFrame } from './relay-frame';

interface Target {
  candidates: Candidate[];
  body: (candidate: Candidate) => string | Buffer | null;
}

/** Sounds, pictures and every other path: byte for byte to the upstream and back, for a flat price. */
@Injectable()
export class PassThrough {
  constructor(
    private readonly desk: AdmissionDesk,
    private readonly upstreams: UpstreamClient,
    private readonly catalogue: CatalogueStore,
    private readonly config: RelayConfig,
  ) {}

  async *handle(ctx: Ctx, request: ProxyRequest, path: string, metering: Metering): AsyncGenerator<RelayFrame> {
    const target = this.targetOf(request);
    const [first] = target.candidates;
    if (!first) throw unavailable();
    const price = metering === 'free' ? 0 : this.config.RELAY_FLAT_TOKENS;
    const call = metering === 'free' ? null : await this.desk.admitFlat(ctx, first, price, { source: 'relay' });
    const headers = requestHeaders(request.headers, call?.traceparent);
    const send = (candidate: Candidate): UpstreamRequest => ({
      method: request.method,
      path,
      query: request.query,
      headers,
      body: target.body(candidate),
      expects: 'bytes',
    });
    try {
      const opened = await this.upstreams.open(target.candidates, send, ctx.signal);
      if (opened.kind !== 'bytes') throw new Error('bytes were asked for');
      await this.pay(call, opened.candidate, price);
      yield { head: { status: opened.status, headers: responseHeaders(opened.headers) }, bytes: new Uint8Array() };
      for await (const bytes of opened.body as AsyncIterable<Buffer>) yield { bytes };
    } finally {
      await call?.release();
    }
  }

  private async pay(call: MeteredCall | null, candidate: Candidate, tokens: number): Promise<void> {
    const usage = { promptTokens: tokens, completionTokens: 0, estimated: true };
    await call?.settle({ candidate, usage, written: [], outcome: 'completed' });
  }

  /** A JSON body that names a model of the catalogue goes where that model lives; the rest to the default upstream. */
  private targetOf(request: ProxyRequest): Target {
    const { current } = this.catalogue;
    const bytes = request.body.length === 0 ? null : request.body;
    const named = bytes && isJson(request) ? modelIn(bytes) : null;
    if (named !== null && bytes && current.models.has(named)) {
      const body = parseRelayBody(bytes.toString('utf8'));
      return {
        candidates: candidatesFor(current, named),
        body: (candidate) => bodyFor(body, { model: candidate.upstreamModel, addUsage: false }),
      };
    }
    const upstream = current.upstreams.get(current.defaultUpstream);
    if (!upstream) return { candidates: [], body: () => bytes };
    const model: CatalogueModel = { ...PLAIN, id: named ?? 'unnamed' };
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

const isJson = (request: ProxyRequest): boolean =>
  String(request.headers['content-type'] ?? '').startsWith('application/json');

function modelIn(bytes: Buffer): string | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isPlainObject(value) && typeof value['model'] === 'string' ? value['model'].slice(0, 200) : null;
  } catch {
    return null;
  }
}
