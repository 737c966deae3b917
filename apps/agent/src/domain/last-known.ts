export interface KnownFrames {
  /** The last frame that the log has; 0 when it has none. */
  stored: number;
  /** As the checkpoint says. */
  saved: number;
  /** Of the lease under which the turn goes on. */
  epoch: number;
  /** The stretch that this process still has at hand. */
  own?: { seq: number; epoch: number } | undefined;
}

/**
 * The last frame that readers may have heard of a turn that is taken over; null where neither the log nor this process
 * knows. Of what another process said after it, the own stretch knows nothing.
 */
export function lastKnown({ stored, saved, epoch, own }: KnownFrames): number | null {
  const last = own && own.epoch >= epoch - 1 ? own.seq : 0;
  if (stored === 0 && last === 0) return null;
  return Math.max(last, stored === 0 ? saved : stored);
}
