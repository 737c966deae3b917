import { Injectable } from '@nestjs/common';
import { type Attribution, type Ctx, RelayStreams } from '@switchyard/contracts';
import { AppError, cleanText, type ErrorCode, toAppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { CompactionPlan } from '../domain/compaction-plan';
import { summaryPrompt } from '../domain/summary-prompt';
import { TokenCounter } from './token-counter';

const TIMEOUT_MS = 60_000;

/** The question may take this share of the window, and never more than one request may have. */
const PROMPT_SHARE = 0.7;
const PROMPT_MAX_TOKENS = 96_000;

/** Refusals that say something about the Space, not about the model: they reach the caller as they are. */
const OWN_REFUSALS: readonly ErrorCode[] = [
  'INSUFFICIENT_TOKENS',
  'BELOW_MINIMUM_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'MONTHLY_LIMIT_EXCEEDED',
  'RATE_LIMITED',
];

export interface Summary {
  text: string;
  tokens: number;
}

const unavailable = (cause?: unknown): AppError =>
  new AppError(
    'COMPACTION_UNAVAILABLE',
    'No model could summarise this session now. Nothing has changed; try again later.',
    { cause },
  );

/** Trying again would not help. */
const tooLarge = (cause: unknown): AppError =>
  new AppError(
    'REQUEST_TOO_LARGE',
    "Summarising this session exceeds the Space's requestTokenCap. Raise it, or begin a new session.",
    { cause },
  );

@Injectable()
export class ConversationSummariser {
  constructor(
    private readonly bus: Bus,
    private readonly counter: TokenCounter,
  ) {}

  async summarise(
    ctx: Ctx,
    plan: CompactionPlan,
    of: { model: string; contextWindow: number; previous: string | null; attribution: Attribution },
  ): Promise<Summary> {
    try {
      const text = await this.ask(ctx, plan, of);
      if (text === '') throw unavailable();
      return await this.fit(ctx, of.model, text, plan.summaryTokens);
    } catch (error) {
      const appError = toAppError(error);
      if (appError.code === 'REQUEST_TOO_LARGE') throw tooLarge(error);
      throw OWN_REFUSALS.includes(appError.code) || appError.code === 'COMPACTION_UNAVAILABLE'
        ? appError
        : unavailable(error);
    }
  }

  private async ask(
    ctx: Ctx,
    plan: CompactionPlan,
    of: { model: string; contextWindow: number; previous: string | null; attribution: Attribution },
  ): Promise<string> {
    const promptTokens = Math.min(PROMPT_MAX_TOKENS, Math.floor(of.contextWindow * PROMPT_SHARE));
    const frames = await this.bus.stream(
      RelayStreams.complete,
      ctx,
      {
        model: of.model,
        messages: summaryPrompt(plan.summarised, of.previous, { summaryTokens: plan.summaryTokens, promptTokens }),
        settings: { maxTokens: plan.summaryTokens },
        attribution: of.attribution,
      },
      { signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    let text = '';
    let done = false;
    for await (const frame of frames) {
      if (frame.kind === 'delta') text += frame.text ?? '';
      done ||= frame.kind === 'done';
    }
    // Half a summary would pass for a whole one.
    if (!done) throw unavailable();
    return cleanText(text).trim();
  }

  /** Cuts the summary at its limit if the model exceeds it. */
  private async fit(ctx: Ctx, model: string, text: string, most: number): Promise<Summary> {
    let fitting = text;
    for (let round = 0; round < 8; round += 1) {
      const [tokens = 0] = await this.counter.countTexts(ctx, model, [fitting]);
      if (tokens <= most) return { text: fitting, tokens };
      const length = Math.floor((fitting.length * most) / tokens) - 1;
      fitting = fitting.slice(0, Math.max(1, length)).toWellFormed();
    }
    return { text: fitting, tokens: most };
  }
}
