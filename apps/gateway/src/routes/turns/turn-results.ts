import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type CallContract,
  type Ctx,
  requireNotFailed,
  type StartChat,
  type StartExecute,
  type TurnResult,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ActiveResponses } from '../../auth/active-responses';
import { waitForTurn } from './wait-for-turn';

/**
 * The results of turns for callers that do not stream. The wait ends with the caller's credential; the turn goes on.
 */
@Injectable()
export class TurnResults {
  constructor(
    private readonly bus: Bus,
    private readonly streams: ActiveResponses,
  ) {}

  chat(ctx: Ctx, start: StartChat): Promise<TurnResult> {
    return this.wait(ctx, AgentCalls.chat, start);
  }

  execute(ctx: Ctx, start: StartExecute): Promise<TurnResult> {
    return this.wait(ctx, AgentCalls.execute, start);
  }

  private async wait<Start extends { turnId?: string; agentId: string }>(
    ctx: Ctx,
    contract: CallContract<Start, TurnResult>,
    start: Start,
  ): Promise<TurnResult> {
    const result = await this.streams.whileValid(ctx, (signal) =>
      waitForTurn(this.bus, ctx, { contract, start, signal }),
    );
    return requireNotFailed(result);
  }
}
