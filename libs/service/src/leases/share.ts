import type { Holding } from './claims';

/** What a process can work on at a time, and how much of it one Space may have. */
export interface Share {
  capacity: number;
  /** While other Spaces wait: a third. */
  contended: number;
  /** While no other waits: two thirds, so that a Space that comes later finds a place at once. */
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

/**
 * How many rows each of these Spaces may have claimed now. They are in the order of their turn; each gets an equal part
 * of the room, and a Space at its share is left out.
 */
export function divideRoom(
  spaces: readonly string[],
  room: number,
  held: ReadonlyMap<string, Holding>,
  share: Shares,
): Map<string, Holding> {
  const kind = spaces.length > 1 ? 'contended' : 'alone';
  const leftTo = (space: string): Holding => ({
    places: share.places[kind] - (held.get(space)?.places ?? 0),
    bytes: share.bytes[kind] - (held.get(space)?.bytes ?? 0),
  });
  const left = new Map(
    spaces.map((space) => [space, leftTo(space)] as const).filter(([, { places, bytes }]) => places > 0 && bytes > 0),
  );
  const part = Math.max(1, Math.floor(room / Math.max(1, left.size)));
  const rooms = new Map<string, Holding>();
  let free = room;
  for (const [space, allowed] of left) {
    if (free <= 0) break;
    const places = Math.min(part, allowed.places, free);
    rooms.set(space, { places, bytes: allowed.bytes });
    free -= places;
  }
  return rooms;
}
