import { Inject, Injectable } from '@nestjs/common';
import { type AmpleRoom, Attribution, type Ctx, type KeyLimits, requireSpace } from '@switchyard/contracts';
import { type Clock } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { CatalogueStore } from '../catalogue/catalogue-store';
import { Candidate, CatalogueModel } from '../domain/catalogue';
import { candidatesFor, firstOffered, openAt, unknownModel } from '../domain/upstream-candidates';
import { Caps, refuse } from '../domain/budget-check';
import { RequestedOutput, requestedTokens, mostOutput } from '../domain/requested-output';
import { TokenCounts } from '../domain/pricing';
import { PromptSize, guessTokens, measure, mostTokens, textsOf, nonTextTokens } from '../domain/prompt-estimate';
import { KeyTokenLimits } from './key-token-limits';
import { LedgerWriter } from './ledger-writer';
import { MeteredCall } from './metered-call';
import { ModelCallMetrics } from './model-call-metrics';
import { ReachedLimits } from './reached-limits.service';
import type { ModelOperation } from './model-span';
import { Tokenizer } from '../tokenizer/tokenizer';

export interface CallRequest {
  modelId: string;
  fallbackModels?: readonly string[];
  /** The parts of the request that the model reads: texts, messages, tools. */
  prompt: unknown;
  /** The path that a caller of the relay asks for: only upstreams that open it are asked. */
  path?: string;
  /** One answer of any length unless said otherwise. */
  output?: RequestedOutput;
  attribution: Attribution;
  requestKey?: string;
  /** For the trace: a chat unless said otherwise. */
  operation?: ModelOperation;
  /** For the trace too, where it may hold what was said. */
  messages?: () => readonly unknown[];
}

/** Tokens that a call reserves, and is charged if the upstream reports no usage. */
interface Price {
  promptTokens: number;
  reserveTokens: number;
  count: (written: readonly string[]) => Promise<TokenCounts>;
}

const ONE_ANSWER: RequestedOutput = { choices: 1, prompts: 1 };

/** Where every model call is checked and let in: model, request cap, balance, minimum, daily cap, in this order. */
@Injectable()
export class CallAdmission {
  constructor(
    private readonly catalogue: CatalogueStore,
    private readonly ledgerWriter: LedgerWriter,
    private readonly tokenizer: Tokenizer,
    private readonly calls: ModelCallMetrics,
    private readonly keys: KeyTokenLimits,
    private readonly reached: ReachedLimits,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async admit(ctx: Ctx, call: CallRequest): Promise<MeteredCall> {
    const isDirect = call.attribution.source === 'relay';
    if (isDirect) {
      const checking = this.checkModel(ctx, call.modelId);
      if (checking) await checking;
    }
    const found = candidatesFor(this.catalogue.current, call.modelId, call.fallbackModels);
    const candidates = call.path === undefined ? found : openAt(found, call.path);
    const size = measure(call.prompt);
    const checking = this.checkRequest(ctx, size, call);
    if (checking instanceof Promise) await checking;
    const promptTokens = guessTokens(size);
    const reserveTokens = promptTokens + mostOutputOf(candidates, promptTokens, call);
    return this.hold(ctx, candidates, call, {
      promptTokens,
      reserveTokens,
      count: (written) => this.estimate(ctx, size, call, written),
    });
  }

  /** For what is not counted in tokens: a flat price, and an upstream without a model of the catalogue. */
  async admitFlat(ctx: Ctx, candidate: Candidate, tokens: number, attribution: Attribution): Promise<MeteredCall> {
    const request = { modelId: candidate.model.id, prompt: [], attribution, operation: 'generate_content' as const };
    const flat = { promptTokens: tokens, completionTokens: 0, estimated: true };
    const call = await this.hold(ctx, [candidate], request, {
      promptTokens: tokens,
      reserveTokens: tokens,
      count: () => Promise.resolve(flat),
    });
    await call.tokenReservation.admission;
    return call;
  }

  /** A key may be limited to some models. An agent's own model calls are not held to that. */
  checkModel(ctx: Ctx, modelId: string): Promise<void> | undefined {
    const check = ({ models }: KeyLimits): void => {
      if (models?.includes(modelId) === false) throw unknownModel(modelId);
    };
    const limits = this.keys.limitsOf(ctx);
    if (limits instanceof Promise) return limits.then(check);
    check(limits);
    return undefined;
  }

  dayOf(ctx: Ctx): ReturnType<LedgerWriter['dayOf']> {
    return this.ledgerWriter.dayOf(ctx);
  }

  /** The refusals of `admit`, and what it would hold. */
  async preflight(
    ctx: Ctx,
    call: Omit<CallRequest, 'attribution'>,
  ): Promise<{ estimatedTokens: number; requestTokenCap: number; model: CatalogueModel; ample: AmpleRoom | null }> {
    const model = firstOffered(this.catalogue.current, call.modelId, call.fallbackModels);
    const size = measure(call.prompt);
    const requestTokenCap = await this.checkRequest(ctx, size, call);
    const guess = guessTokens(size);
    const candidates = candidatesFor(this.catalogue.current, call.modelId, call.fallbackModels);
    const estimatedTokens = guess + mostOutputOf(candidates, guess, call);
    await this.noting(ctx, this.ledgerWriter.check(ctx, estimatedTokens));
    return { estimatedTokens, requestTokenCap, model, ample: await this.ledgerWriter.ample(ctx) };
  }

  private async hold(
    ctx: Ctx,
    candidates: readonly Candidate[],
    call: CallRequest,
    { promptTokens, reserveTokens, count }: Price,
  ): Promise<MeteredCall> {
    const opening = this.ledgerWriter.open(ctx, {
      model: call.modelId,
      promptTokens,
      reserveTokens,
      attribution: call.attribution,
      requestKey: call.requestKey,
    });
    const tokenReservation = await this.noting(ctx, opening);
    if (tokenReservation.admission) void this.noting(ctx, tokenReservation.admission);
    const watch = this.calls.begin(ctx, {
      operation: call.operation ?? 'chat',
      // A label must not grow with what callers write.
      model: this.catalogue.current.models.has(call.modelId) ? call.modelId : 'other',
      maxTokens: call.output?.maxTokens,
      sessionId: call.attribution.sessionId,
      messages: call.messages,
    });
    return new MeteredCall(candidates, tokenReservation, count, watch);
  }

  /** The same promise: its refusal by a limit becomes an event. */
  private noting<T>(ctx: Ctx, work: Promise<T>): Promise<T> {
    work.catch((error: unknown) => {
      this.reached.noteRefusal(ctx, error);
    });
    return work;
  }

  private async estimate(
    ctx: Ctx,
    size: PromptSize,
    call: CallRequest,
    written: readonly string[],
  ): Promise<TokenCounts> {
    const spaceId = requireSpace(ctx);
    const promptTokens = (await this.tokenizer.count(spaceId, textsOf(call.prompt))) + nonTextTokens(size);
    return { promptTokens, completionTokens: await this.tokenizer.count(spaceId, written), estimated: true };
  }

  /** Counted exactly only where it matters: most requests are far below their cap by their bytes alone. */
  private checkRequest(ctx: Ctx, size: PromptSize, call: Omit<CallRequest, 'attribution'>): number | Promise<number> {
    const requested = requestedTokens(call.output ?? ONE_ANSWER);
    const check = ({ requestTokenCap }: Caps): number | Promise<number> =>
      mostTokens(size) + requested <= requestTokenCap
        ? requestTokenCap
        : this.countRequest(ctx, { size, requested, requestTokenCap }, call);
    const caps = this.ledgerWriter.capsOf(ctx);
    return caps instanceof Promise ? caps.then(check) : check(caps);
  }

  private async countRequest(
    ctx: Ctx,
    { size, requested, requestTokenCap }: { size: PromptSize; requested: number; requestTokenCap: number },
    call: Omit<CallRequest, 'attribution'>,
  ): Promise<number> {
    const nonText = nonTextTokens(size) + requested;
    const enough = requestTokenCap - nonText;
    const texts = enough < 0 ? [] : textsOf(call.prompt);
    const counted = (await this.tokenizer.count(requireSpace(ctx), texts, enough)) + nonText;
    if (counted > requestTokenCap) throw refuse('REQUEST_TOO_LARGE', this.clock.now(), requestTokenCap);
    return requestTokenCap;
  }
}

/** A fallback may answer at greater length than the model that was asked for. */
const mostOutputOf = (
  candidates: readonly Candidate[],
  promptTokens: number,
  { output = ONE_ANSWER }: Pick<CallRequest, 'output'>,
): number => Math.max(0, ...candidates.map(({ model }) => mostOutput(model, promptTokens, output)));
