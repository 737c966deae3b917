/** Which rows are to be sealed anew: `limit` of them, without those that did not open before. */
export interface ResealBatch {
  limit: number;
  except: readonly string[];
}

export interface ResealedBatch {
  resealed: number;
  /** Rows that no key of DATA_KEY opens: they stay as they are. */
  unopened: { id: string; reason: string }[];
}

/** A damaged row does not keep the others under the old key: if it cannot be encrypted again, it is left out and named. */
export async function resealRows<Row extends { id: string }, Sealed>(
  rows: readonly Row[],
  seal: (row: Row) => Sealed,
  store: (row: Row, sealed: Sealed) => Promise<unknown>,
): Promise<ResealedBatch> {
  const batch: ResealedBatch = { resealed: 0, unopened: [] };
  for (const row of rows) {
    let sealed: Sealed;
    try {
      sealed = seal(row);
    } catch (error) {
      batch.unopened.push({ id: row.id, reason: error instanceof Error ? error.message : String(error) });
      continue;
    }
    await store(row, sealed);
    batch.resealed += 1;
  }
  return batch;
}
