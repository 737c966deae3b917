/**
 * Whether a lease that ran out counts as the end of its process. While the database, or this process, stood still, all
 * leases ran out together: after that, their holders get the time of one lease to renew them.
 */
export class DatabaseSilenceDetector {
  private answeredAt = Number.NEGATIVE_INFINITY;
  /** Since when no answer was late. */
  private promptSince = Number.POSITIVE_INFINITY;

  /** `lateMs`: an interval between two answers in which a lease may run out although its holder lives. */
  constructor(private readonly ms: { lateMs: number; leaseMs: number }) {}

  /** The database has answered a look that is repeated at a fixed interval. */
  answered(now = performance.now()): void {
    if (this.isLate(now)) this.promptSince = now;
    this.answeredAt = now;
  }

  mayCount(now = performance.now()): boolean {
    return !this.isLate(now) && now - this.promptSince >= this.ms.leaseMs;
  }

  private isLate(now: number): boolean {
    return now - this.answeredAt > this.ms.lateMs;
  }
}
