import { type Ctx, SessionCalls, type TurnRecord } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';

/** Null also for a turn of another user: callers that may read all turns of a Space find those with the same id. */
export async function findOwnTurn(bus: Bus, ctx: Ctx, turnId: string): Promise<TurnRecord | null> {
  try {
    const turn = await bus.call(SessionCalls.getTurn, ctx, { turnId });
    return turn.userId === ctx.userId ? turn : null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
