import { executeResultOf, type TurnResult } from '@switchyard/contracts';

/** The flat answer of execute. How it stands is added, because a run may also pause or be cancelled. */
export const executeResponse = (result: TurnResult): object => ({
  ...executeResultOf(result),
  turn_id: result.turn_id,
  status: result.status,
  finish_reason: result.finish_reason,
  ...(result.interaction === null ? {} : { interaction: result.interaction }),
});
