/** A time limit that can stand still. Its signal is aborted when the time is over. */
export class PausableTimeout {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;

  constructor(private remainingMs: number) {
    this.start();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The time that `work` takes does not count. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    this.stop();
    this.remainingMs -= performance.now() - this.startedAt;
    try {
      return await work();
    } finally {
      this.start();
    }
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private start(): void {
    this.startedAt = performance.now();
    this.timer = setTimeout(
      () => {
        this.controller.abort(new DOMException('The time is over.', 'TimeoutError'));
      },
      Math.max(0, this.remainingMs),
    );
    // Like the timer of AbortSignal.timeout, it lets the process end.
    this.timer.unref();
  }
}
