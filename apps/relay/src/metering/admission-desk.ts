import { Inject, Injectable } from '@nestjs/common';
import { type AmpleRoom, Attribution, type Ctx, type KeyLimits, requireSpace } from '@switchyard/contracts';
import { type Clock } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { CatalogueStore } from '../catalogue/catalogue-store';
import { Candidate, CatalogueModel } from '../domain/catalogue';
import { candidatesFor, getModel, openAt, unknownModel } from '../domain/candidates';
import { Caps, refuse } from '../domain/admission';
import { AskedOutput, askedTokens, mostOutput } from '../domain/asked-output';
import { TokenCounts } from '../domain/pricing';
import { PromptSize, guessTokens, measure, mostTokens, textsOf, tokensBesideText } from '../domain/prompt-estimate';
import { KeyAccounts } from './key-accounts';
import { Meter } from './meter';
import { MeteredCall } from './metered-call';
import { ModelCalls } from './model-calls';
import type { ModelOperation } from './model-span';
import { RelayConfig } from '../relay.config';
import { Tokenizer } from '../tokenizer/tokenizer';

export interface WantedCall {
  modelId: string;
  fallbackModels?: readonly string[];
  /** Whatever of the request the model reads: texts, messages, tools. */
  prompt: unknown;
  /** The path that a caller of the relay asks for: only upstreams that open it are asked. */
  path?: string;
  /** One answer of any length unless said otherwise. */
  output?: AskedOutput;
  attribution: Attribution;
  requestKey?: string;
  /** For the trace: a chat unless said otherwise. */
  operation?: ModelOperation;
  /** For the trace too, where it may hold what was said. */
  messages?: () => readonly unknown[];
}

/** What a call holds, and what it is charged where no upstream says what it has used. */
interface Price {
  promptTokens: number;
  reserveTokens: number;
  count: (written: readonly string[]) => Promise<TokenCounts>;
}

const ONE_ANSWER: AskedOutput = { choices: 1, prompts: 1 };

/** Where every model call is checked and let in: model, request cap, balance, minimum, daily cap, in this order. */
@Injectable()
export class AdmissionDesk {
  constructor(
    private readonly catalogue: CatalogueStore,
    private readonly meter: Meter,
    private readonly tokenizer: Tokenizer,
    private readonly calls: ModelCalls,
    private readonly keys: KeyAccounts,
    private readonly config: RelayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async admit(ctx: Ctx, wanted: WantedCall): Promise<MeteredCall> {
    const isDirect = wanted.attribution.source === 'relay';
    if (isDirect) {
      const checking = this.checkModel(ctx, wanted.modelId);
      if (checking) await checking;
    }
    const found = candidatesFor(this.catalogue.current, wanted.modelId, wanted.fallbackModels);
    const candidates = wanted.path === undefined ? found : openAt(found, wanted.path, this.config.RELAY_OPEN_PATHS);
    const size = measure(wanted.prompt);
    const checking = this.checkRequest(ctx, size, wanted);
    if (checking instanceof Promise) await checking;
    const promptTokens = guessTokens(size);
    const reserveTokens = promptTokens + mostOutputOf(candidates, promptTokens, wanted);
    return this.hold(ctx, candidates, wanted, {
      promptTokens,
      reserveTokens,
      count: (written) => this.estimate(ctx, size, wanted, written),
    });
  }

  /** For what is not counted in tokens: a flat price, and an upstream without a model of the catalogue. */
  async admitFlat(ctx: Ctx, candidate: Candidate, tokens: number, attribution: Attribution): Promise<MeteredCall> {
    const wanted = { modelId: candidate.model.id, prompt: [], attribution, operation: 'generate_content' as const };
    const flat = { promptTokens: tokens, completionTokens: 0, estimated: true };
    const call = await this.hold(ctx, [candidate], wanted, {
      promptTokens: tokens,
      reserveTokens: tokens,
      count: () => Promise.resolve(flat),
    });
    await call.hold.admission;
    return call;
  }

  /** A key may be limited to some models. An agent's own model calls are not held to that. */
  checkModel(ctx: Ctx, modelId: string): Promise<void> | undefined {
    const check = ({ models }: KeyLimits): void => {
      if (models?.includes(modelId) === false) throw unknownModel(modelId);
    };
    const known = this.keys.limitsOf(ctx);
    if (known instanceof Promise) return known.then(check);
    check(known);
    return undefined;
  }

  dayOf(ctx: Ctx): ReturnType<Meter['dayOf']> {
    return this.meter.dayOf(ctx);
  }

  /** The refusals of `admit`, and what it would hold. */
  async preflight(
    ctx: Ctx,
    wanted: Omit<WantedCall, 'attribution'>,
  ): Promise<{ estimatedTokens: number; requestTokenCap: number; model: CatalogueModel; ample: AmpleRoom | null }> {
    const model = getModel(this.catalogue.current, wanted.modelId);
    const size = measure(wanted.prompt);
    const requestTokenCap = await this.checkRequest(ctx, size, wanted);
    const guess = guessTokens(size);
    const candidates = candidatesFor(this.catalogue.current, wanted.modelId, wanted.fallbackModels);
    const estimatedTokens = guess + mostOutputOf(candidates, guess, wanted);
    await this.meter.check(ctx, estimatedTokens);
    return { estimatedTokens, requestTokenCap, model, ample: await this.meter.ample(ctx) };
  }

  private async hold(
    ctx: Ctx,
    candidates: readonly Candidate[],
    wanted: WantedCall,
    { promptTokens, reserveTokens, count }: Price,
  ): Promise<MeteredCall> {
    const hold = await this.meter.open(ctx, {
      model: wanted.modelId,
      promptTokens,
      reserveTokens,
      attribution: wanted.attribution,
      requestKey: wanted.requestKey,
    });
    const watch = this.calls.begin(ctx, {
      operation: wanted.operation ?? 'chat',
      // A label must not grow with what callers write.
      model: this.catalogue.current.models.has(wanted.modelId) ? wanted.modelId : 'other',
      maxTokens: wanted.output?.maxTokens,
      sessionId: wanted.attribution.sessionId,
      messages: wanted.messages,
    });
    return new MeteredCall(candidates, hold, count, watch);
  }

  private async estimate(
    ctx: Ctx,
    size: PromptSize,
    wanted: WantedCall,
    written: readonly string[],
  ): Promise<TokenCounts> {
    const spaceId = requireSpace(ctx);
    const promptTokens = (await this.tokenizer.count(spaceId, textsOf(wanted.prompt))) + tokensBesideText(size);
    return { promptTokens, completionTokens: await this.tokenizer.count(spaceId, written), estimated: true };
  }

  /** Counted exactly only where it matters: most requests are far below their cap by their bytes alone. */
  private checkRequest(ctx: Ctx, size: PromptSize, wanted: Omit<WantedCall, 'attribution'>): number | Promise<number> {
    const asked = askedTokens(wanted.output ?? ONE_ANSWER);
    const check = ({ requestTokenCap }: Caps): number | Promise<number> =>
      mostTokens(size) + asked <= requestTokenCap
        ? requestTokenCap
        : this.countRequest(ctx, { size, asked, requestTokenCap }, wanted);
    const caps = this.meter.capsOf(ctx);
    return caps instanceof Promise ? caps.then(check) : check(caps);
  }

  private async countRequest(
    ctx: Ctx,
    { size, asked, requestTokenCap }: { size: PromptSize; asked: number; requestTokenCap: number },
    wanted: Omit<WantedCall, 'attribution'>,
  ): Promise<number> {
    const beside = tokensBesideText(size) + asked;
    const enough = requestTokenCap - beside;
    const texts = enough < 0 ? [] : textsOf(wanted.prompt);
    const counted = (await this.tokenizer.count(requireSpace(ctx), texts, enough)) + beside;
    if (counted > requestTokenCap) throw refuse('REQUEST_TOO_LARGE', this.clock.now(), requestTokenCap);
    return requestTokenCap;
  }
}

/** A fallback may answer at greater length than the model that was asked for. */
const mostOutputOf = (
  candidates: readonly Candidate[],
  promptTokens: number,
  { output = ONE_ANSWER }: Pick<WantedCall, 'output'>,
): number => Math.max(0, ...candidates.map(({ model }) => mostOutput(model, promptTokens, output)));
