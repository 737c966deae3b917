export interface BatchLimits {
  items: number;
  bytes: number;
}

/** Cuts a list into runs that keep the limits, in order. An item that is too large by itself is a run of its own. */
export function splitIntoBatches<Item>(
  items: readonly Item[],
  limits: BatchLimits,
  sizeOf: (item: Item) => BatchLimits,
): Item[][] {
  const batches: Item[][] = [];
  let batch: Item[] = [];
  let used = { items: 0, bytes: 0 };
  for (const item of items) {
    const size = sizeOf(item);
    if (batch.length > 0 && (used.items + size.items > limits.items || used.bytes + size.bytes > limits.bytes)) {
      batches.push(batch);
      batch = [];
      used = { items: 0, bytes: 0 };
    }
    batch.push(item);
    used = { items: used.items + size.items, bytes: used.bytes + size.bytes };
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
