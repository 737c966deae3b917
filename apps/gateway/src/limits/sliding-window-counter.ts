export const WINDOW_MS = 60_000;

interface Window {
  index: number;
  /** Taken here in this window and the one before. */
  own: number;
  ownBefore: number;
  /** Taken by other replicas. */
  others: number;
  othersBefore: number;
  /** Taken here and not yet told to the others. */
  untold: number;
}

export interface Taken {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export interface Untold {
  key: string;
  index: number;
  count: number;
}

const usedOf = (window: Window, elapsed: number): number =>
  window.own + window.others + (window.ownBefore + window.othersBefore) * (1 - elapsed / WINDOW_MS);

/** Time until the count is below the limit without further requests: now, later in this window, or within the next. */
function waitMs(window: Window, limit: number, elapsed: number): number {
  const taken = window.own + window.others;
  const before = window.ownBefore + window.othersBefore;
  // A limit of 0 lets nothing in, however long the wait.
  if (limit <= 0) return WINDOW_MS - elapsed;
  if (taken < limit) return Math.max(0, WINDOW_MS * (1 - (limit - taken) / before) - elapsed) + 1;
  return WINDOW_MS - elapsed + WINDOW_MS * (1 - limit / taken) + 1;
}

function takenOf(
  window: Window,
  { allowed, limit, elapsed, used }: { allowed: boolean; limit: number; elapsed: number; used: number },
): Taken {
  // Those that are only pending say nothing of how long to wait: they may never count.
  const waits = used >= limit && window.own + window.others + window.ownBefore + window.othersBefore > 0;
  return {
    allowed,
    limit,
    remaining: Math.max(0, Math.floor(limit - used)),
    resetSeconds: Math.max(1, Math.ceil((waits ? waitMs(window, limit, elapsed) : WINDOW_MS - elapsed) / 1000)),
  };
}

/**
 * Counts per key over a sliding minute: the window before weighs by the part of it that is still inside.
 * Exact for one process; the counts of other replicas are added when they arrive.
 */
export class SlidingWindowCounter {
  private readonly windows = new Map<string, Window>();
  private readonly changed = new Set<string>();

  take(key: string, limit: number, now: number): Taken {
    const window = this.roll(key, Math.floor(now / WINDOW_MS));
    const elapsed = now % WINDOW_MS;
    const used = usedOf(window, elapsed);
    const allowed = used < limit;
    if (allowed) {
      window.own += 1;
      window.untold += 1;
      this.changed.add(key);
    }
    return takenOf(window, { allowed, limit, elapsed, used: used + (allowed ? 1 : 0) });
  }

  /** Whether one more would be allowed, should `pending` others come to count. Nothing is taken. */
  look(key: string, { limit, pending, now }: { limit: number; pending: number; now: number }): Taken {
    const window = this.roll(key, Math.floor(now / WINDOW_MS));
    const elapsed = now % WINDOW_MS;
    const used = usedOf(window, elapsed) + pending;
    return takenOf(window, { allowed: used < limit, limit, elapsed, used });
  }

  private roll(key: string, index: number): Window {
    let window = this.windows.get(key);
    if (!window) {
      window = { index, own: 0, ownBefore: 0, others: 0, othersBefore: 0, untold: 0 };
      this.windows.set(key, window);
    } else if (window.index !== index) {
      const next = window.index === index - 1;
      window.ownBefore = next ? window.own : 0;
      window.othersBefore = next ? window.others : 0;
      window.own = 0;
      window.others = 0;
      window.untold = 0;
      window.index = index;
    }
    return window;
  }

  get hasUntold(): boolean {
    return this.changed.size > 0;
  }

  /** Requests counted in this process since the last call. */
  untold(): Untold[] {
    const list: Untold[] = [];
    for (const key of this.changed) {
      const window = this.windows.get(key);
      if (window && window.untold > 0) {
        list.push({ key, index: window.index, count: window.untold });
        window.untold = 0;
      }
    }
    this.changed.clear();
    return list;
  }

  /** The total of all replicas, as the shared store counts it. */
  learn(key: string, index: number, total: number): void {
    const window = this.windows.get(key);
    if (window?.index === index) window.others = Math.max(0, total - (window.own - window.untold));
  }

  /** Lets go of keys that no longer count. */
  removeOld(now: number): void {
    const index = Math.floor(now / WINDOW_MS);
    for (const [key, window] of this.windows) if (window.index < index - 1) this.windows.delete(key);
  }
}
