import { AppError } from '@switchyard/kernel';

/** Most unanswered requests of a Space that wait for their retry; others are refused with Retry-After. */
const WAITING_MAX = 20;
const RETRY_AFTER_SECONDS = 5;

interface SpaceQueue {
  tail: Promise<void>;
  length: number;
}

/** One at a time for each Space; Spaces do not wait for each other. */
export class AloneLines {
  private readonly lines = new Map<string, SpaceQueue>();

  /** Resolves with a release function. Throws if the queue is full. */
  async enter(spaceId: string | null): Promise<() => void> {
    const key = spaceId ?? '';
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
    let isOver = false;
    await before;
    return () => {
      if (isOver) return;
      isOver = true;
      line.length -= 1;
      if (line.length === 0) this.lines.delete(key);
      go();
    };
  }
}
