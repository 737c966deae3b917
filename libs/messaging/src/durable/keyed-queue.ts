/**
 * Runs work side by side up to a limit, but one after the other where it has the same key. What waits for its key takes
 * no place of what could run: one busy key does not hold up the others.
 */
export class KeyedQueue {
  /** Of each key that works, the last that waits for it. */
  private readonly tails = new Map<string, Promise<void>>();
  private behind = 0;
  private blocked: (() => void)[] = [];

  /** `room`: how much may wait for its key. */
  constructor(
    private readonly limit: number,
    private readonly room: number,
  ) {}

  get size(): number {
    return this.tails.size + this.behind;
  }

  /** Resolves when there is room for the work, not when it is done. */
  async add(key: string, work: () => Promise<void>): Promise<void> {
    while (!this.hasRoom(key)) await new Promise<void>((resolve) => this.blocked.push(resolve));
    const before = this.tails.get(key);
    const tail = before ? this.after(before, work) : work();
    const settled = tail
      .catch(() => undefined)
      .finally(() => {
        if (this.tails.get(key) === settled) this.tails.delete(key);
        this.wake();
      });
    this.tails.set(key, settled);
  }

  async idle(deadline: number): Promise<void> {
    while (this.size > 0 && Date.now() < deadline) {
      await Promise.race([Promise.allSettled(this.tails.values()), new Promise((resolve) => setTimeout(resolve, 50))]);
    }
  }

  private hasRoom(key: string): boolean {
    return this.tails.has(key) ? this.behind < this.room : this.tails.size < this.limit;
  }

  private async after(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    this.behind += 1;
    await before;
    this.behind -= 1;
    this.wake();
    return work();
  }

  private wake(): void {
    const { blocked } = this;
    this.blocked = [];
    for (const resolve of blocked) resolve();
  }
}
