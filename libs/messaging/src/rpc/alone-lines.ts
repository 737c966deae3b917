import { AppError } from '@switchyard/kernel';

/** Most unanswered requests of a Space that wait for their retry; others are refused with Retry-After. */
const WAITING_MAX = 20;
const RETRY_AFTER_SECONDS = 5;
/** The line of all Spaces. */
const ALL = '*';

interface SpaceQueue {
  tail: Promise<void>;
  length: number;
}

/** Waits for the turn of this process among its replicas; resolves with a release function. */
export type AloneAmongReplicas = (limitMs: number) => Promise<() => void>;

interface Turn {
  spaceId: string | null;
  /** How long it may keep others waiting. */
  limitMs: number;
  /** Whether it also waits for other Spaces, and for other replicas. */
  isTrial: boolean;
}

/** One at a time for each Space; Spaces do not wait for each other, except for trials. */
export class AloneLines {
  private readonly lines = new Map<string, SpaceQueue>();
  private amongReplicas: AloneAmongReplicas | undefined;

  waitForReplicas(amongReplicas: AloneAmongReplicas): void {
    this.amongReplicas = amongReplicas;
  }

  /** Resolves with a release function. Throws if the queue is full. */
  async enter({ spaceId, limitMs, isTrial }: Turn): Promise<() => void> {
    const releases = [await this.line(spaceId ?? '')];
    // Of each Space only the first one, so that no Space delays others by many.
    if (isTrial) {
      releases.push(await this.line(ALL));
      const release = await this.amongReplicas?.(limitMs);
      if (release) releases.push(release);
    }
    const leave = (): void => {
      clearTimeout(timer);
      for (const release of releases.splice(0)) release();
    };
    const timer = setTimeout(leave, limitMs).unref();
    return leave;
  }

  private async line(key: string): Promise<() => void> {
    const line = this.lines.get(key) ?? { tail: Promise.resolve(), length: 0 };
    if (key !== ALL && line.length >= WAITING_MAX) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many requests that were not answered are repeated at once.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    const before = line.tail;
    let go = (): void => undefined;
    line.tail = new Promise((resolve) => (go = resolve));
    line.length += 1;
    this.lines.set(key, line);
    await before;
    return () => {
      line.length -= 1;
      if (line.length === 0) this.lines.delete(key);
      go();
    };
  }
}
