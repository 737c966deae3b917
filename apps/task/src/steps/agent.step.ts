import { Injectable } from '@nestjs/common';
import { AgentCalls, type Ctx, type ModelSettings, type TurnResult, executeResultOf } from '@switchyard/contracts';
import { AppError, abandonOn, isErrorCode, sleep } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { KnownAgentStepInput, KnownSettings } from '../domain/step-inputs';
import { type Effect, effectKey, uuidOf } from './effect';
import { StepFailure } from './step-failure';

/** One question for the end of the turn; asked again until it has come. */
const WAIT_MS = 15_000;
/** A turn of a conversation can wait for its user. */
const LOOK_AGAIN_MS = 2_000;

const modelSettings = ({ maxTokens, ...settings }: KnownSettings): ModelSettings => ({
  ...settings,
  ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
});

@Injectable()
export class AgentStep {
  constructor(private readonly bus: Bus) {}

  async run(effect: Effect): Promise<unknown> {
    const input = effect.input as unknown as KnownAgentStepInput;
    const turnId = uuidOf(`${effectKey(effect)}:${effect.attempt}`);
    const stop = (): void => {
      this.cancel(effect.ctx, input.agentId, turnId);
    };
    effect.signal.addEventListener('abort', stop, { once: true });
    try {
      return this.outputOf(await this.ended(effect, input, turnId));
    } finally {
      effect.signal.removeEventListener('abort', stop);
    }
  }

  private async ended(effect: Effect, input: KnownAgentStepInput, turnId: string): Promise<TurnResult> {
    const { agentId, inputs = {}, contents } = input;
    const settings = input.settings && modelSettings(input.settings);
    const request = { agentId, turnId, inputs, contents, settings, source: 'task' as const, waitMs: WAIT_MS };
    for (;;) {
      const result = await abandonOn(
        effect.signal,
        this.bus.call(AgentCalls.execute, effect.ctx, request, { timeoutMs: WAIT_MS * 2 }),
      );
      if (result.status !== 'RUNNING' && result.status !== 'WAITING_INPUT') return result;
      if (result.status === 'WAITING_INPUT') await sleep(LOOK_AGAIN_MS, effect.signal);
      if (effect.signal.aborted) throw new AppError('SERVICE_UNAVAILABLE', 'The step was stopped.');
    }
  }

  private outputOf(result: TurnResult): unknown {
    const output = executeResultOf(result);
    if (result.status === 'COMPLETED') return output;
    const code = result.error?.code ?? '';
    const error = {
      code: isErrorCode(code) ? code : 'RUNTIME_UNAVAILABLE',
      message: result.error?.message ?? `The agent's turn ended ${result.status}.`,
    };
    throw new StepFailure(error, output);
  }

  private cancel(ctx: Ctx, agentId: string, turnId: string): void {
    this.bus.call(AgentCalls.cancelTurn, ctx, { agentId, turnId }).catch(() => undefined);
  }
}
