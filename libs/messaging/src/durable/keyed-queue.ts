/** Runs work side by side up to a limit, but one after the other where it has the same key. */
export class KeyedQueue {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.running + this.waiting.length;
  }

  /** Resolves when there is room for the work, not when it is done. */
  async add(key: string, work: () => Promise<void>): Promise<void> {
    if (this.running >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.running += 1;
    const before = this.tails.get(key) ?? Promise.resolve();
    const tail = before.then(work).finally(() => {
      this.running -= 1;
      if (this.tails.get(key) === tail) this.tails.delete(key);
      this.waiting.shift()?.();
    });
    this.tails.set(key, tail);
    tail.catch(() => undefined);
  }

  async idle(deadline: number): Promise<void> {
    while (this.size > 0 && Date.now() < deadline) {
      await Promise.race([Promise.allSettled(this.tails.values()), new Promise((resolve) => setTimeout(resolve, 50))]);
    }
  }
}
