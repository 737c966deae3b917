import { AppError, sleep } from '@switchyard/kernel';
import { AgentCalls, type CallContract, type Ctx, TURN_WAIT_MS, type TurnResult } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import { isGivenUp } from '../../turn-events/open-turn';

/** One wait at an agent; short, so that a lost agent is noticed and the turn looked for elsewhere. */
const WAIT_MS = 8_000;
const ANSWER_WITHIN_MS = 11_000;
const READ_EVERY_MS = 500;

interface TurnStart<Start extends { turnId?: string; agentId: string }> {
  contract: CallContract<Start, TurnResult>;
  start: Start;
  signal: AbortSignal;
}

/**
 * Starts a turn and waits until it ends or pauses. The turn's id makes asking again harmless. Without a reply, the turn
 * is only read if it has started, and a start that has ended two processes is not repeated.
 */
export async function waitForTurn<Start extends { turnId?: string; agentId: string }>(
  bus: Bus,
  ctx: Ctx,
  { contract, start, signal }: TurnStart<Start>,
): Promise<TurnResult> {
  const end = Date.now() + TURN_WAIT_MS;
  const own = { ...ctx, deadline: 0 };
  const { agentId, turnId } = start;
  let begun = false;
  let wasSilent = false;
  for (;;) {
    try {
      const silent = wasSilent && turnId !== undefined ? await read(bus, own, { agentId, turnId }) : null;
      const result = silent ?? (await bus.call(contract, own, { ...start, waitMs: WAIT_MS }, asking(turnId)));
      if (result.status !== 'RUNNING') return result;
      begun = true;
      if (silent) await sleep(READ_EVERY_MS, signal);
    } catch (error) {
      if (isGivenUp(error) && !wasSilent && turnId !== undefined) {
        // The start is not asked for again, but its turn may have begun.
        const found = await read(bus, own, { agentId, turnId }).catch(() => null);
        if (found === null) throw error;
        wasSilent = true;
        continue;
      }
      // An agent that was lost: the turn waits for its next holder.
      const passes =
        error instanceof AppError && (error.code === 'TIMEOUT' || (begun && error.code === 'SERVICE_UNAVAILABLE'));
      if (!passes || Date.now() > end) throw error;
      begun = true;
      wasSilent = true;
      await sleep(1000, signal);
    }
    signal.throwIfAborted();
    if (Date.now() > end) throw new AppError('TIMEOUT', 'The turn did not end in time. Read it with its turn id.');
  }
}

const asking = (workId: string | undefined): { timeoutMs: number; workId?: string } => ({
  timeoutMs: ANSWER_WITHIN_MS,
  workId,
});

/** Null where it was not begun. */
async function read(bus: Bus, ctx: Ctx, turn: { agentId: string; turnId: string }): Promise<TurnResult | null> {
  try {
    return await bus.call(AgentCalls.turnResult, ctx, turn);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
