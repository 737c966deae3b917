/** Work that several callers need at the same time, done once for all of them. */
export class SingleFlight<T> {
  private readonly running = new Map<string, Promise<T>>();

  /** The work under way, if there is any. */
  get(key: string): Promise<T> | undefined {
    return this.running.get(key);
  }

  /** Joins the work under way, or begins it. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const shared = this.running.get(key);
    if (shared) return shared;
    const begun = work().finally(() => {
      if (this.running.get(key) === begun) this.running.delete(key);
    });
    this.running.set(key, begun);
    return begun;
  }

  /** Work under way goes on for its callers, and later callers begin their own. */
  detach(key: string): void {
    this.running.delete(key);
  }

  detachAll(): void {
    this.running.clear();
  }
}
