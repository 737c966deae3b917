import { Injectable } from '@nestjs/common';
import { type Ctx, RelayCalls } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { TurnState } from '../../domain/turn-state';
import { compactedFrom, ContextCompactor, nextCall } from './context-compactor';
import { ModelRequests } from './model-requests';
import type { PromptParts, TurnSpec } from './turn-spec';

/** How far an estimate of tokens may be from the count. */
const UNCERTAINTY = 2;

/** Whether the next model call of a turn is within the request cap, asked before the turn is bound to make it. */
@Injectable()
export class ContextWindowCheck {
  constructor(
    private readonly bus: Bus,
    private readonly requests: ModelRequests,
    private readonly contextCompactor: ContextCompactor,
  ) {}

  /** The relay counts only where it could matter, and not where a compaction would change the answer. */
  async refusal(ctx: Ctx, parts: PromptParts, state: TurnState, requestTokenCap: number): Promise<AppError | null> {
    if (isSurelyWithin(requestTokenCap, parts, state) || nextCall(parts, state).mayBeCompacted) return null;
    return this.counted(ctx, parts, state);
  }

  /** The most tokens of a context with which a turn is surely within the cap. Null if a larger one may be compacted. */
  contextTokenLimit(parts: PromptParts, state: TurnState, requestTokenCap: number): number | null {
    const { extraTokens } = nextCall(parts, state);
    const surely = Math.floor((requestTokenCap - (parts.input.settings.max_tokens ?? 0)) / UNCERTAINTY);
    if (surely + 1 >= compactedFrom(parts.input)) return null;
    return Math.max(0, surely - extraTokens);
  }

  /** As `refusal` for a turn that waits. A compaction that is due comes first: whether it made enough room decides. */
  async refusalOfAnswer(ctx: Ctx, spec: TurnSpec, state: TurnState, requestTokenCap: number): Promise<AppError | null> {
    if (isSurelyWithin(requestTokenCap, spec, state)) return null;
    await this.contextCompactor.beforeAnswer(spec, state);
    return this.counted(ctx, spec, state);
  }

  private async counted(ctx: Ctx, parts: PromptParts, state: TurnState): Promise<AppError | null> {
    const request = this.requests.prompt(parts, state);
    const { max_tokens: maxTokens } = parts.input.settings;
    try {
      await this.bus.call(RelayCalls.preflight, ctx, {
        ...request,
        ...(maxTokens === undefined ? {} : { maxTokens }),
      });
      return null;
    } catch (error) {
      // The model call reports any other error.
      return error instanceof AppError && error.code === 'REQUEST_TOO_LARGE' ? error : null;
    }
  }
}

function isSurelyWithin(cap: number, parts: PromptParts, state: TurnState): boolean {
  return UNCERTAINTY * nextCall(parts, state).tokens + (parts.input.settings.max_tokens ?? 0) <= cap;
}
