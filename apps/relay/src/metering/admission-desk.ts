import { Inject, Injectable } from '@nestjs/common';
import { Attribution, type Ctx } from '@switchyard/contracts';
import { type Clock } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { CatalogueStore } from '../catalogue/catalogue-store';
import { Candidate, CatalogueModel } from '../domain/catalogue';
import { candidatesFor, getModel } from '../domain/candidates';
import { Caps, refuse } from '../domain/admission';
import { PromptSize, guessTokens, measure, mostTokens, textsOf } from '../domain/prompt-estimate';
import { Meter } from './meter';
import { MeteredCall } from './metered-call';
import { ModelCalls } from './model-calls';
import type { ModelOperation } from './model-span';
import { Tokenizer } from './tokenizer';

export interface WantedCall {
  modelId: string;
  fallbackModels?: readonly string[];
  /** Whatever of the request the model reads: texts, messages, tools. */
  prompt: unknown;
  /** Only when the caller said it. */
  maxTokens?: number;
  attribution: Attribution;
  requestKey?: string;
  /** For the trace: a chat unless said otherwise. */
  operation?: ModelOperation;
}

/** Where every model call is checked and let in: model, request cap, balance, minimum, daily cap, in this order. */
@Injectable()
export class AdmissionDesk {
  constructor(
    private readonly catalogue: CatalogueStore,
    private readonly meter: Meter,
    private readonly tokenizer: Tokenizer,
    private readonly calls: ModelCalls,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async admit(ctx: Ctx, wanted: WantedCall): Promise<MeteredCall> {
    const candidates = candidatesFor(this.catalogue.current, wanted.modelId, wanted.fallbackModels);
    const model = getModel(this.catalogue.current, wanted.modelId);
    const size = measure(wanted.prompt);
    await this.checkRequest(ctx, size, wanted);
    return this.hold(ctx, candidates, size, wanted, mostOutput(model, guessTokens(size), wanted.maxTokens));
  }

  /** For what is not counted in tokens: a flat price, and an upstream without a model of the catalogue. */
  async admitFlat(ctx: Ctx, candidate: Candidate, tokens: number, attribution: Attribution): Promise<MeteredCall> {
    const wanted = { modelId: candidate.model.id, prompt: [], attribution, operation: 'generate_content' as const };
    const call = await this.hold(ctx, [candidate], { characters: 0, attachments: 0 }, wanted, tokens);
    await call.hold.admission;
    return call;
  }

  dayOf(ctx: Ctx): ReturnType<Meter['dayOf']> {
    return this.meter.dayOf(ctx);
  }

  /** The refusals of `admit`, and what it would hold. */
  async preflight(
    ctx: Ctx,
    wanted: Omit<WantedCall, 'attribution'>,
  ): Promise<{ estimatedTokens: number; model: CatalogueModel }> {
    const model = getModel(this.catalogue.current, wanted.modelId);
    const size = measure(wanted.prompt);
    await this.checkRequest(ctx, size, wanted);
    const guess = guessTokens(size);
    const estimatedTokens = guess + mostOutput(model, guess, wanted.maxTokens);
    await this.meter.check(ctx, estimatedTokens);
    return { estimatedTokens, model };
  }

  private async hold(
    ctx: Ctx,
    candidates: readonly Candidate[],
    size: PromptSize,
    wanted: WantedCall,
    output: number,
  ): Promise<MeteredCall> {
    const promptTokens = guessTokens(size);
    const hold = await this.meter.open(ctx, {
      model: wanted.modelId,
      promptTokens,
      reserveTokens: promptTokens + output,
      attribution: wanted.attribution,
      requestKey: wanted.requestKey,
    });
    const attachments = guessTokens({ characters: 0, attachments: size.attachments });
    const watch = this.calls.begin(ctx, {
      operation: wanted.operation ?? 'chat',
      // A label must not grow with what callers write.
      model: this.catalogue.current.models.has(wanted.modelId) ? wanted.modelId : 'other',
      maxTokens: wanted.maxTokens,
    });
    return new MeteredCall(candidates, hold, () => textsOf(wanted.prompt), attachments, this.tokenizer, watch);
  }

  /** Counted exactly only where a guess could be wrong: most requests are far below their cap by length alone. */
  private async checkRequest(ctx: Ctx, size: PromptSize, wanted: Omit<WantedCall, 'attribution'>): Promise<void> {
    const caps: Caps | Promise<Caps> = this.meter.capsOf(ctx);
    const { requestTokenCap } = caps instanceof Promise ? await caps : caps;
    const asked = wanted.maxTokens ?? 0;
    if (mostTokens(size) + asked <= requestTokenCap) return;
    const attachments = guessTokens({ characters: 0, attachments: size.attachments });
    const counted = (await this.tokenizer.count(textsOf(wanted.prompt))) + attachments + asked;
    if (counted > requestTokenCap) throw refuse('REQUEST_TOO_LARGE', this.clock.now(), requestTokenCap);
  }
}

function mostOutput(model: CatalogueModel, promptTokens: number, maxTokens: number | undefined): number {
  const room = Math.max(1, model.contextWindow - promptTokens);
  if (model.maxOutputTokens === 0 && maxTokens === undefined) return 0;
  return Math.min(maxTokens ?? model.maxOutputTokens, room);
}
