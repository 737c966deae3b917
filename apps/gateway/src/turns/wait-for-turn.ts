import { AppError, sleep } from '@switchyard/kernel';
import { type CallContract, type Ctx, TURN_WAIT_MS, type TurnResult } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';

/** One wait at an agent; short, so that a lost agent is noticed and the turn looked for elsewhere. */
const WAIT_MS = 8_000;
const ANSWER_WITHIN_MS = 11_000;

interface Asked<Start extends object> {
  contract: CallContract<Start, TurnResult>;
  start: Start;
  signal: AbortSignal;
}

/** Starts a turn and waits until it ends or pauses. The turn's id makes asking again harmless. */
export async function waitForTurn<Start extends object>(
  bus: Bus,
  ctx: Ctx,
  { contract, start, signal }: Asked<Start>,
): Promise<TurnResult> {
  const end = Date.now() + TURN_WAIT_MS;
  let begun = false;
  for (;;) {
    try {
      const asked = { ...start, waitMs: WAIT_MS };
      const result = await bus.call(contract, { ...ctx, deadline: 0 }, asked, { timeoutMs: ANSWER_WITHIN_MS });
      if (result.status !== 'RUNNING') return result;
      begun = true;
    } catch (error) {
      // An agent that was lost: the turn waits for its next holder.
      const passes =
        error instanceof AppError && (error.code === 'TIMEOUT' || (begun && error.code === 'SERVICE_UNAVAILABLE'));
      if (!passes || Date.now() > end) throw error;
      begun = true;
      await sleep(1000, signal);
    }
    signal.throwIfAborted();
    if (Date.now() > end) throw new AppError('TIMEOUT', 'The turn did not end in time. Read it with its turn id.');
  }
}
