import type { Holding } from './leased-rows';

/** Capacity of a process, and how much of it the Spaces of one payer may use. */
export interface Share {
  capacity: number;
  /** While those of others wait: a third. */
  contended: number;
  /** While no other waits: two thirds, so that a Space of another payer finds a place at once. */
  alone: number;
}

export function shareOf(capacity: number): Share {
  const contended = Math.max(1, Math.ceil(capacity / 3));
  return { capacity, contended, alone: Math.max(1, capacity - contended) };
}

/** The two bounds of a process: how much it works on at a time, and how large that may be. */
export interface Shares {
  slots: Share;
  bytes: Share;
}

/** Use of all Spaces of each payer. */
export function byPayer(
  used: ReadonlyMap<string, Holding>,
  payerOf: (spaceId: string) => string,
): Map<string, Holding> {
  const sums = new Map<string, Holding>();
  for (const [spaceId, { slots, bytes }] of used) {
    const payer = payerOf(spaceId);
    const sum = sums.get(payer);
    sums.set(payer, { slots: (sum?.slots ?? 0) + slots, bytes: (sum?.bytes ?? 0) + bytes });
  }
  return sums;
}

/**
 * How many rows each of these Spaces may have claimed now. They are in the order of their turn. Each payer gets an
 * equal part of the room and divides it among its Spaces; the Spaces of a payer at its share are left out. `held` is
 * what each payer has.
 */
export function allocateSlots(
  spaces: readonly string[],
  capacity: number,
  { used, share, payerOf }: { used: ReadonlyMap<string, Holding>; share: Shares; payerOf: (spaceId: string) => string },
): Map<string, Holding> {
  const ofPayers = new Map<string, string[]>();
  for (const space of spaces) {
    const payer = payerOf(space);
    const others = ofPayers.get(payer);
    if (others) others.push(space);
    else ofPayers.set(payer, [space]);
  }
  const kind = ofPayers.size > 1 ? 'contended' : 'alone';
  const rest = [...ofPayers]
    .map(([payer, own]) => ({
      own,
      slots: share.slots[kind] - (used.get(payer)?.slots ?? 0),
      bytes: share.bytes[kind] - (used.get(payer)?.bytes ?? 0),
    }))
    .filter(({ slots, bytes }) => slots > 0 && bytes > 0);
  const part = Math.max(1, Math.floor(capacity / Math.max(1, rest.length)));
  const allocated = new Map<string, Holding>();
  let free = capacity;
  for (const { own, ...allowed } of rest) {
    if (free <= 0) break;
    const slots = Math.min(part, allowed.slots, free);
    free -= slots;
    const served = own.slice(0, slots);
    for (const [at, space] of served.entries())
      allocated.set(space, {
        slots: Math.floor(slots / served.length) + (at < slots % served.length ? 1 : 0),
        bytes: Math.max(1, Math.floor(allowed.bytes / served.length)),
      });
  }
  return allocated;
}
