import { coalesced } from './coalesced-timers';

/**
 * What a look for work has found. `true`: there may be more at once. `'soon'`: something was there, or may come without a
 * wake-up. `false`: nothing was there, and whatever makes work wakes this process, or can wait for its next idle look.
 */
export type Polled = boolean | 'soon';

/** After so many looks for nothing a loop is idle. */
const IDLE_AFTER_LOOKS = 10;
const IDLE_INTERVAL_MS = 5_000;

/** The pause between two looks for work: `intervalMs`, or five seconds where the last looks have found nothing. */
export class IdlePause {
  private emptyLooks = 0;
  private end: () => void = () => undefined;

  constructor(private readonly intervalMs: number) {}

  /** After each look. */
  looked(found: Polled): void {
    this.emptyLooks = found === false ? this.emptyLooks + 1 : 0;
  }

  /** Until the next look is due, or until `wake`. */
  wait(): Promise<void> {
    const isIdle = this.emptyLooks >= IDLE_AFTER_LOOKS;
    const ms = isIdle ? Math.max(this.intervalMs, IDLE_INTERVAL_MS) : this.intervalMs;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, coalesced(ms));
      this.end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The pauses after this one are short again. */
  attend(): void {
    this.emptyLooks = 0;
  }

  /** Ends the pause at once, if there is one. */
  wake(): void {
    this.attend();
    this.end();
  }
}
