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

/**
 * How many rows each of these Spaces may have claimed now. They are in the order of their turn; each gets an equal part
 * of the room, and a Space at its share is left out.
 */
export function divideRoom(
  spaces: readonly string[],
  room: number,
  held: ReadonlyMap<string, number>,
  share: Share,
): Map<string, number> {
  const limit = spaces.length > 1 ? share.contended : share.alone;
  const left = new Map(
    spaces.map((space) => [space, limit - (held.get(space) ?? 0)] as const).filter(([, allowed]) => allowed > 0),
  );
  const part = Math.max(1, Math.floor(room / Math.max(1, left.size)));
  const rooms = new Map<string, number>();
  let free = room;
  for (const [space, allowed] of left) {
    if (free <= 0) break;
    const given = Math.min(part, allowed, free);
    rooms.set(space, given);
    free -= given;
  }
  return rooms;
}
