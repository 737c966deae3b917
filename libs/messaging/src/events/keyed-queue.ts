/** A task's Space, its ordering keys, and its order within the key. */
export interface QueuePosition {
  space: string;
  key: string;
  seq: number;
}

interface QueuedWork extends QueuePosition {
  work: () => Promise<void>;
}

/**
 * Runs tasks concurrently up to a limit, and one at a time for each key. Tasks that wait for their key occupy no slot.
 * Spaces take turns, and none may queue more than its share: the caller keeps the rest.
 */
export class KeyedQueue {
  private readonly running = new Map<string, Promise<void>>();
  /** Next Space first. */
  private readonly waiting = new Map<string, QueuedWork[]>();
  private behind = 0;

  /** `room`: most queued tasks; one Space may have half. `onEnded` is called when a task ends and its slot is free. */
  constructor(
    private readonly limit: number,
    private readonly capacity: number,
    private readonly onEnded: () => void = () => undefined,
  ) {}

  get size(): number {
    return this.running.size + this.behind;
  }

  /** Whether the Space may queue another task, with `expected` more on the way. One is always allowed. */
  hasCapacity(space: string, expected = 0): boolean {
    const mine = (this.waiting.get(space)?.length ?? 0) + expected;
    if (mine === 0) return true;
    const spaces = this.waiting.size + (this.waiting.has(space) ? 0 : 1);
    return this.behind + expected < this.capacity && mine < Math.max(1, Math.floor(this.capacity / (spaces + 1)));
  }

  /** False, without effect, if the Space has used up its share. */
  offer(position: QueuePosition, work: () => Promise<void>): boolean {
    if (!this.hasCapacity(position.space)) return false;
    const line = this.waiting.get(position.space) ?? [];
    const next = line.findIndex(({ seq }) => seq > position.seq);
    line.splice(next === -1 ? line.length : next, 0, { ...position, work });
    this.waiting.set(position.space, line);
    this.behind += 1;
    this.begin();
    return true;
  }

  async idle(deadline: number): Promise<void> {
    while (this.size > 0 && Date.now() < deadline) {
      await Promise.race([
        Promise.allSettled(this.running.values()),
        new Promise((resolve) => setTimeout(resolve, 50)),
      ]);
    }
  }

  private begin(): void {
    while (this.running.size < this.limit) {
      const next = this.takeNext();
      if (!next) return;
      const ended = next
        .work()
        .catch(() => undefined)
        .finally(() => {
          this.running.delete(next.key);
          this.begin();
          this.onEnded();
        });
      this.running.set(next.key, ended);
    }
  }

  private takeNext(): QueuedWork | undefined {
    for (const [space, line] of this.waiting) {
      const at = line.findIndex(({ key }) => !this.running.has(key));
      if (at === -1) continue;
      const [next] = line.splice(at, 1);
      this.behind -= 1;
      this.waiting.delete(space);
      if (line.length > 0) this.waiting.set(space, line);
      return next;
    }
    return undefined;
  }
}
