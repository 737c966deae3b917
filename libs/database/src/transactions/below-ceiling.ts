import { AppError } from '@switchyard/kernel';
import type { Tx } from './tx';

export interface CeilingOfThings {
  spaceId: string;
  /** As an operator sets it: `agents`. */
  name: string;
  /** Null: there is none. */
  ceiling: number | null;
  count: () => Promise<number>;
}

/**
 * CONFLICT when a Space has as many of a thing as an operator allows. Those who make one at the same moment wait for each
 * other until their transactions end, where there is a ceiling: so it is never passed.
 */
export async function requireBelowCeiling(tx: Tx, { spaceId, name, ceiling, count }: CeilingOfThings): Promise<void> {
  if (ceiling === null) return;
  await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 24))', [`ceiling ${name} ${spaceId}`]);
  if ((await count()) >= ceiling) throw ceilingReached(name, ceiling);
}

export const ceilingReached = (name: string, ceiling: number): AppError =>
  new AppError(
    'CONFLICT',
    `The Space has reached its ceiling ${name} (${ceiling}), which an operator of the platform has set.`,
  );
