import type { Holding } from './claims';

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
  places: Share;
  bytes: Share;
}

/** Use of all Spaces of each payer. */
export function byPayer(
  held: ReadonlyMap<string, Holding>,
  payerOf: (spaceId: string) => string,
): Map<string, Holding> {
  const sums = new Map<string, Holding>();
  for (const [spaceId, { places, bytes }] of held) {
    const payer = payerOf(spaceId);
    const sum = sums.get(payer);
    sums.set(payer, { places: (sum?.places ?? 0) + places, bytes: (sum?.bytes ?? 0) + bytes });
  }
  return sums;
}

/**
 * How many rows each of these Spaces may have claimed now. They are in the order of their turn. Each payer gets an equal
 * part of the room and divides it among its Spaces; the Spaces of a payer at its share are left out. `held` is what each
 * payer has.
 */
export function divideRoom(
  spaces: readonly string[],
  room: number,
  { held, share, payerOf }: { held: ReadonlyMap<string, Holding>; share: Shares; payerOf: (spaceId: string) => string },
): Map<string, Holding> {
  const ofPayers = new Map<string, string[]>();
  for (const space of spaces) {
    const payer = payerOf(space);
    const others = ofPayers.get(payer);
    if (others) others.push(space);
    else ofPayers.set(payer, [space]);
  }
  const kind = ofPayers.size > 1 ? 'contended' : 'alone';
  const left = [...ofPayers]
    .map(([payer, own]) => ({
      own,
      places: share.places[kind] - (held.get(payer)?.places ?? 0),
      bytes: share.bytes[kind] - (held.get(payer)?.bytes ?? 0),
    }))
    .filter(({ places, bytes }) => places > 0 && bytes > 0);
  const part = Math.max(1, Math.floor(room / Math.max(1, left.length)));
  const rooms = new Map<string, Holding>();
  let free = room;
  for (const { own, ...allowed } of left) {
    if (free <= 0) break;
    const places = Math.min(part, allowed.places, free);
    free -= places;
    const served = own.slice(0, places);
    for (const [at, space] of served.entries())
      rooms.set(space, {
        places: Math.floor(places / served.length) + (at < places % served.length ? 1 : 0),
        bytes: Math.max(1, Math.floor(allowed.bytes / served.length)),
      });
  }
  return rooms;
}
