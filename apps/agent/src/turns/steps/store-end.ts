import { failpoint } from '@switchyard/kernel';
import type { ClosedTurn, TurnResult } from '@switchyard/contracts';
import { product } from '../../domain/frame';
import { closedTurn, turnResult } from '../../domain/turn-outcome';
import type { Ending } from '../../domain/turn-state';
import type { TurnServices } from '../turn-services';
import type { TurnStretch } from '../turn-stretch';

/** Stores the turn; only then is it said to be complete. */
export async function storeEnd(
  turn: TurnStretch,
  services: TurnServices,
  ending: Ending,
): Promise<{ result: TurnResult; closed: ClosedTurn }> {
  const { facts, ctx } = turn.spec;
  const result = turnResult(facts, turn.state, turn.workedMs);
  await failpoint('agent.closing');
  const closed = await services.session.close(
    ctx,
    () => ({ ...turn.held, ...closedTurn(facts, turn.state, ending, result) }),
    () => {
      turn.feed.emit([product('turn-persist-pending', { turn_id: facts.turnId })]);
    },
  );
  await failpoint('agent.closed');
  return { result, closed };
}
