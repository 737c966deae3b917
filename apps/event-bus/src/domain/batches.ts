export interface BatchLimits {
  items: number;
  bytes: number;
}

/** Cuts a list into runs that keep the limits, in order. An item that is too large by itself is a run of its own. */
export function batchesOf<Item>(
  items: readonly Item[],
  limits: BatchLimits,
  bytesOf: (item: Item) => number,
): Item[][] {
  const batches: Item[][] = [];
  let batch: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    if (batch.length > 0 && (batch.length >= limits.items || bytes + size > limits.bytes)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
