import type { Tx } from '../transactions/transaction';

/** `refused`: its state allows no retry. */
export type RetryOutcome = 'again' | 'refused' | 'absent';

/** For a retry that changed no row: whether the record exists. `found` selects it. */
export async function notRetried(tx: Tx, found: string, params: unknown[]): Promise<RetryOutcome> {
  return (await tx.one(found, params)) === null ? 'absent' : 'refused';
}
