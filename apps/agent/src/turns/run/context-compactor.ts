import { Injectable } from '@nestjs/common';
import { SessionCalls } from '@switchyard/contracts';
import { jsonBytes } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import type { TurnInput } from '../../domain/turn-input';
import type { TurnState } from '../../domain/turn-state';
import type { PromptParts, TurnSpec } from './turn-spec';

/** Where compaction begins to be worth asking for; the session service decides with exact numbers. */
const ASK_FROM = 0.75;
const CHARS_PER_TOKEN = 3.5;

/** Estimated size of the next model call, and whether compaction may run before it. */
export function nextCall(
  spec: PromptParts,
  state: TurnState,
): { tokens: number; extraTokens: number; mayBeCompacted: boolean } {
  const extraTokens = extraTokensOf(spec, state);
  const tokens = (spec.context?.tokens ?? Math.ceil(spec.input.query.length / CHARS_PER_TOKEN)) + extraTokens;
  const mayBeCompacted = spec.context !== null && tokens >= compactedFrom(spec.input);
  return { tokens, extraTokens, mayBeCompacted };
}

/** Bytes of the next model call, estimated. */
export const sizeOfCall = (spec: PromptParts, state: TurnState): number =>
  nextCall(spec, state).tokens * CHARS_PER_TOKEN;

export const compactedFrom = ({ contextWindow }: TurnInput): number => contextWindow * ASK_FROM;

/** Keeps a session's context within the model's window, between two model calls. */
@Injectable()
export class ContextCompactor {
  constructor(
    private readonly bus: Bus,
    private readonly log: Logger,
  ) {}

  /** A compaction that does not work out changes nothing: the model call then says whether it fits. */
  beforeModelCall(spec: TurnSpec, state: TurnState): Promise<void> {
    return this.compact(spec, state, false);
  }

  /** The same for a turn that waits for its user, before the answer counts. */
  beforeAnswer(spec: TurnSpec, state: TurnState): Promise<void> {
    return this.compact(spec, state, true);
  }

  private async compact(spec: TurnSpec, state: TurnState, isWaiting: boolean): Promise<void> {
    const { extraTokens, mayBeCompacted } = nextCall(spec, state);
    if (!mayBeCompacted) return;
    try {
      const done = await this.bus.call(SessionCalls.compactForTurn, spec.ctx, {
        key: spec.key,
        epoch: spec.epoch,
        extraTokens,
        ...(isWaiting ? { isWaiting } : {}),
      });
      if (done.context) spec.context = done.context;
    } catch (error) {
      this.log.warn({ err: error, turn: spec.key }, 'failed to compact the context');
    }
  }
}

/** Estimated: the prompt, the tools and the steps of this turn, which the session does not know yet. */
function extraTokensOf(spec: PromptParts, state: TurnState): number {
  let chars = spec.input.prompt.length;
  for (const step of state.steps) chars += step.text.length + (step.toolCalls ? jsonBytes(step.toolCalls) : 0);
  for (const item of state.evidence) chars += item.text.length;
  chars += spec.tools.definitionBytes;
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
