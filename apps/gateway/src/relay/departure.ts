import type { AppError } from '@switchyard/kernel';

/** Signals that the client of one response has disconnected, and why. A cheaper AbortController. */
export class Departure {
  private isPast = false;
  private why: AppError | undefined;
  private hear: (() => void) | undefined;

  get isGone(): boolean {
    return this.isPast;
  }

  /** Undefined where the reader just left. */
  get reason(): AppError | undefined {
    return this.why;
  }

  leave(reason?: AppError): void {
    if (this.isPast) return;
    this.isPast = true;
    this.why = reason;
    this.hear?.();
  }

  /** One may listen. */
  onLeave(hear: () => void): void {
    this.hear = hear;
    if (this.isPast) hear();
  }
}
