/**
 * Loads that many callers want at once, done once for all who wait. A caller never gets what was read before it asked:
 * while a load runs, the next one gathers.
 */
export class SharedLoads<T> {
  private readonly running = new Map<string, Promise<T>>();
  private readonly next = new Map<string, Promise<T>>();

  load(key: string, read: () => Promise<T>): Promise<T> {
    const waiting = this.next.get(key);
    if (waiting) return waiting;
    const running = this.running.get(key);
    if (!running) return this.start(key, read);
    const following = running.then(
      () => this.follow(key, read),
      () => this.follow(key, read),
    );
    this.next.set(key, following);
    return following;
  }

  private follow(key: string, read: () => Promise<T>): Promise<T> {
    this.next.delete(key);
    return this.start(key, read);
  }

  private start(key: string, read: () => Promise<T>): Promise<T> {
    const reading = read().finally(() => {
      if (this.running.get(key) === reading) this.running.delete(key);
    });
    this.running.set(key, reading);
    return reading;
  }
}
