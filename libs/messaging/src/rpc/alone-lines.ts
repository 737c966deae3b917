import { AppError } from '@switchyard/kernel';

/** The most unanswered requests of a Space that wait to be retried; further ones are refused with Retry-After. */
const WAITING_MAX = 20;
const RETRY_AFTER_SECONDS = 5;

interface SpaceQueue {
  tail: Promise<void>;
  length: number;
}

/** One after the other within a Space, and no Space waits for another. */
export class AloneLines {
  private readonly lines = new Map<string, SpaceQueue>();

  /** Resolves when it is this one's turn, with what ends the turn. Throws where the line is full. */
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
