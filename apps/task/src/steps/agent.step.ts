import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type Ctx,
  type ModelSettings,
  type StartExecute,
  type TurnResult,
  executeResultOf,
} from '@switchyard/contracts';
import { AppError, rejectOnAbort, isErrorCode } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { turnOfStep } from '../domain/step-turn-ids';
import { WakeOnTurnEnd } from '@switchyard/service';
import type { StoredAgentStepInput, StoredStepSettings } from '@switchyard/contracts';
import { allRead, type OutsideStep } from './step-executor';
import type { Effect } from './external-effect';
import { StepFailure } from './step-failure';

/** Wait this long for a short turn. For longer ones the execution is released until the turn's end is signalled. */
const WAIT_MS = 500;
const ANSWER_MS = 30_000;

/** In place of an output: the turn goes on, and the step has its result when the turn has. */
export class WaitsForTurn {
  constructor(readonly turnId: string) {}
}

const modelSettings = ({ maxTokens, ...settings }: StoredStepSettings): ModelSettings => ({
  ...settings,
  ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
});

function requestOf(input: StoredAgentStepInput, turnId: string): StartExecute {
  const { agentId, inputs = {}, contents, settings, ...rest } = input;
  allRead(rest);
  return {
    agentId,
    turnId,
    inputs,
    contents,
    settings: settings && modelSettings(settings),
    source: 'task',
    waitMs: WAIT_MS,
  };
}

@Injectable()
export class AgentStep implements OutsideStep {
  readonly isOutside = true;

  constructor(
    private readonly bus: Bus,
    private readonly settled: WakeOnTurnEnd,
  ) {}

  async run(effect: Effect): Promise<unknown> {
    const input = effect.input as unknown as StoredAgentStepInput;
    const turnId = turnOfStep(effect.execution.id, effect.stepId, effect.attempt);
    const stop = (): void => {
      this.cancel(effect.ctx, turnId);
    };
    effect.signal.addEventListener('abort', stop, { once: true });
    try {
      const result = await this.readTurn(effect, input, turnId);
      const isOpen = result.status === 'RUNNING' || result.status === 'WAITING_INPUT';
      return isOpen ? new WaitsForTurn(turnId) : this.outputOf(result);
    } finally {
      effect.signal.removeEventListener('abort', stop);
    }
  }

  /** A turn that the execution waits for is only read: its input need not be sent again. */
  private async readTurn(effect: Effect, input: StoredAgentStepInput, turnId: string): Promise<TurnResult> {
    const { execution, ctx, signal } = effect;
    const { agentId } = input;
    this.settled.beginLook({ spaceId: execution.spaceId, turnId });
    if (execution.waitingTurn === turnId) {
      const existing = await rejectOnAbort(
        signal,
        this.bus.call(AgentCalls.turnResult, ctx, { agentId, turnId }),
      ).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
        throw error;
      });
      if (existing) return existing;
    }
    return rejectOnAbort(
      signal,
      this.bus.call(AgentCalls.execute, ctx, requestOf(input, turnId), { timeoutMs: ANSWER_MS, workId: turnId }),
    );
  }

  private outputOf(result: TurnResult): unknown {
    const output = executeResultOf(result);
    if (result.status === 'COMPLETED') return output;
    const code = result.error?.code ?? '';
    const error = {
      ...(result.error?.retryable === false ? { retryable: false } : {}),
      code: isErrorCode(code) ? code : 'RUNTIME_UNAVAILABLE',
      message: result.error?.message ?? `The agent's turn ended ${result.status}.`,
    };
    throw new StepFailure(error, output);
  }

  private cancel(ctx: Ctx, turnId: string): void {
    this.bus.call(AgentCalls.cancelTurn, ctx, { turnId }).catch(() => undefined);
  }
}
