import { AppError, failpoint } from '@switchyard/kernel';
import { type ClosedTurn, productFrame, type TurnResult } from '@switchyard/contracts';
import { type FinalFrames, newestFrames } from '../../../domain/final-frames';
import { bareEnd, closedTurn, turnResult } from '../../../domain/turn-outcome';
import type { Ending, TurnState } from '../../../domain/turn-state';
import type { TurnDeps } from '../turn-deps';
import type { TurnExecution } from '../turn-execution';

interface StoredEnd {
  result: TurnResult;
  closed: ClosedTurn;
}

/** Stores the turn; only then is it said to be complete. */
export async function storeTurnEnd(turn: TurnExecution, services: TurnDeps, ending: Ending): Promise<StoredEnd> {
  await failpoint('agent.closing');
  const stored = await storeOrLess(turn, services, ending);
  await failpoint('agent.closed');
  return stored;
}

/** An end that is refused once is refused every time: a turn that could not end would be taken over again and again. */
async function storeOrLess(turn: TurnExecution, services: TurnDeps, ending: Ending): Promise<StoredEnd> {
  try {
    return await store(turn, services, { state: turn.state, ending });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
    services.log.error({ err: error, turn: turn.spec.key }, 'the session rejected the end of a turn');
    return store(turn, services, bareEnd(turn.state, ending), () => newestFrames([], turn.feed.seq));
  }
}

async function store(
  turn: TurnExecution,
  services: TurnDeps,
  { state, ending }: { state: TurnState; ending: Ending },
  finalFrames = (): FinalFrames => turn.feed.unconfirmed(),
): Promise<StoredEnd> {
  const { facts, ctx } = turn.spec;
  const result = turnResult(facts, state, turn.workedMs);
  const closed = await services.session.close(
    ctx,
    () => ({ ...turn.lease, ...closedTurn(facts, state, { ending, result, finalFrames: finalFrames() }) }),
    () => {
      turn.feed.emit([productFrame('turnPersistPending', { turn_id: facts.turnId })]);
    },
  );
  return { result, closed };
}
