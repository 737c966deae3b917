import { AppError } from '@switchyard/kernel';
import type { Tx } from './transaction';

export interface CeilingOfThings {
  spaceId: string;
  /** The ceiling's name: `agents`. */
  name: string;
  /** Null: unlimited. */
  ceiling: number | null;
  count: () => Promise<number>;
}

/**
 * CONFLICT if a Space has reached an operator's ceiling. With a ceiling, concurrent creations wait for each other, so
 * it is never exceeded.
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
    { limit: { limit: name, value: ceiling, until: null } },
  );
