const EVERY_MS = 100;

/** Measures the longest recent pause of this process. */
export class ClockPauseDetector {
  private lookedAt = performance.now();
  private longest = 0;
  private readonly timer = setInterval(() => {
    this.measure();
  }, EVERY_MS);

  longestMs(): number {
    this.measure();
    return this.longest;
  }

  end(): void {
    clearInterval(this.timer);
  }

  private measure(): void {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.lookedAt - EVERY_MS);
    this.lookedAt = now;
  }
}
