import { Injectable } from '@nestjs/common';
import { AppError, sleep } from '@switchyard/kernel';
import {
  AgentCalls,
  type CallContract,
  type Ctx,
  requireNotFailed,
  type StartChat,
  type StartExecute,
  TURN_WAIT_MS,
  type TurnResult,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';

/** One wait at an agent; short, so that a lost agent is noticed and the turn looked for elsewhere. */
const WAIT_MS = 8_000;
const ANSWER_WITHIN_MS = 11_000;

/** The results of turns for callers that do not stream. The turn's id makes asking again harmless. */
@Injectable()
export class TurnResults {
  constructor(private readonly bus: Bus) {}

  async chat(ctx: Ctx, start: StartChat): Promise<TurnResult> {
    return requireNotFailed(await this.wait(ctx, AgentCalls.chat, start));
  }

  async execute(ctx: Ctx, start: StartExecute): Promise<TurnResult> {
    return requireNotFailed(await this.wait(ctx, AgentCalls.execute, start));
  }

  private async wait<Start extends object>(
    ctx: Ctx,
    contract: CallContract<Start, TurnResult>,
    start: Start,
  ): Promise<TurnResult> {
    const end = Date.now() + TURN_WAIT_MS;
    let begun = false;
    for (;;) {
      try {
        const result = await this.bus.call(
          contract,
          { ...ctx, deadline: 0 },
          { ...start, waitMs: WAIT_MS },
          { timeoutMs: ANSWER_WITHIN_MS },
        );
        if (result.status !== 'RUNNING') return result;
        begun = true;
      } catch (error) {
        // An agent that was lost: the turn waits for its next holder.
        const passes =
          error instanceof AppError && (error.code === 'TIMEOUT' || (begun && error.code === 'SERVICE_UNAVAILABLE'));
        if (!passes || Date.now() > end) throw error;
        begun = true;
        await sleep(1000);
      }
      if (Date.now() > end) throw new AppError('TIMEOUT', 'The turn did not end in time. Read it with its turn id.');
    }
  }
}
