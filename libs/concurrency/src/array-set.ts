/** A slot of an `ArraySet`, for `remove`. */
export interface Slot<T> {
  item: T | undefined;
  at: number;
}

/**
 * Objects that are added and removed with each call. A Set copies its table every few hundred changes. If V8 has taken
 * a table for old, it keeps what the table has named until the next full collection, and the tables that replace it: all
 * ended calls outlive their end. This one changes an array in place.
 */
export class ArraySet<T> implements Iterable<T> {
  private readonly slots: Slot<T>[] = [];

  get size(): number {
    return this.slots.length;
  }

  get first(): T | undefined {
    return this.slots[0]?.item;
  }

  add(item: T): Slot<T> {
    const slot = { item, at: this.slots.length };
    this.slots.push(slot);
    return slot;
  }

  /** Does nothing if it was removed. */
  remove(slot: Slot<T>): void {
    if (slot.item === undefined) return;
    // A reference to the slot must not keep the item.
    slot.item = undefined;
    const last = this.slots.pop();
    if (last === undefined || last === slot) return;
    this.slots[slot.at] = last;
    last.at = slot.at;
  }

  /** Those that are in it now: items may be added and removed meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    return this.slots.flatMap(({ item }) => (item === undefined ? [] : [item]))[Symbol.iterator]();
  }
}
