interface LeaseRef {
  readonly hold: { readonly id: string; readonly epoch: number };
}

/**
 * By execution. A worker that has lost one and taken it again may end it twice at a time: only its last hold counts.
 */
export function latestPerExecution<T extends LeaseRef>(all: readonly T[]): ReadonlyMap<string, T> {
  const newest = new Map<string, T>();
  for (const each of all) {
    const { id, epoch } = each.hold;
    if (epoch > (newest.get(id)?.hold.epoch ?? -1)) newest.set(id, each);
  }
  return newest;
}
