import type { Database, Read } from '@switchyard/database';

export interface Look {
  /** Finds a row if `claimLoose` could take one. */
  anyLoose: Read;
  claimLoose: () => Read;
  /** Statements of the same transaction. */
  reads: readonly Read[];
}

/**
 * Claims loose rows, and reads the rest in the same transaction. Mostly no row is loose: then nothing is updated. An
 * update of no row still runs its triggers, and costs Postgres as much as all the rest of the look.
 */
export async function lookForWork(
  database: Pick<Database, 'systemWrite'>,
  reason: string,
  { anyLoose, claimLoose, reads }: Look,
): Promise<{ loose: Record<string, unknown>[]; found: Record<string, unknown>[][] }> {
  const [anyRow = [], ...found] = await database.systemWrite(reason, [anyLoose, ...reads]);
  if (anyRow.length === 0) return { loose: [], found };
  // Read again: a row that was claimed may have to run alone.
  const [loose = [], ...foundAfter] = await database.systemWrite(reason, [claimLoose(), ...reads]);
  return { loose, found: foundAfter };
}
