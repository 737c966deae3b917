import { AppError } from '@switchyard/kernel';

/** Most unanswered requests of a Space that wait for their retry; others are refused with Retry-After. */
const WAITING_MAX = 20;
const RETRY_AFTER_SECONDS = 5;
/** How long a request may keep others waiting while it shows whether it ends its process. */
const LIMIT_MS = 30_000;

interface SpaceQueue {
  tail: Promise<void>;
  length: number;
}

/** Waits until no replica repeats the work; resolves with a release function. */
export type AloneAmongReplicas = (work: string, limitMs: number) => Promise<() => void>;

/** One at a time for each Space, and the same work at one replica; Spaces do not wait for each other. */
export class SerializedRetries {
  private readonly lines = new Map<string, SpaceQueue>();
  private amongReplicas: AloneAmongReplicas | undefined;

  waitForReplicas(amongReplicas: AloneAmongReplicas): void {
    this.amongReplicas = amongReplicas;
  }

  /** Resolves with a release function. Throws if the queue is full. */
  async enter(spaceId: string | null, work: string, limitMs = LIMIT_MS): Promise<() => void> {
    const releases = [await this.line(spaceId ?? '')];
    const release = await this.amongReplicas?.(work, limitMs);
    if (release) releases.push(release);
    const leave = (): void => {
      clearTimeout(timer);
      for (const release of releases.splice(0)) release();
    };
    const timer = setTimeout(leave, limitMs).unref();
    return leave;
  }

  private async line(key: string): Promise<() => void> {
    const line = this.lines.get(key) ?? { tail: Promise.resolve(), length: 0 };
    if (line.length >= WAITING_MAX) {
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
