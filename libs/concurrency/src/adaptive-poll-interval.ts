import { coalesced } from './coalesced-timers';

/**
 * Result of a poll. `true`: poll again at once. `'soon'`: there was work, or some may come without a wake-up. `false`:
 * no work, and new work wakes this process or can wait for the next idle poll.
 */
export type Polled = boolean | 'soon';

/** Polls for an idle loop, together with the other loops of the process. */
export interface IdlePoller {
  /** Calls `wake` when there may be work, and about once a minute, until the returned function is called. */
  watch(wake: () => void): () => void;
}

/** Empty polls after which a loop is idle. */
const IDLE_AFTER_LOOKS = 10;
export const IDLE_INTERVAL_MS = 5_000;

/**
 * The pause between two polls: `intervalMs`, or five seconds when the loop is idle. With a poller, an idle loop is
 * woken by it: when there may be work, and once a minute for work that the poller misses.
 */
export class AdaptivePollInterval {
  private emptyLooks = 0;
  private end: () => void = () => undefined;
  private shorten: () => void = () => undefined;
  private readonly idleAfterLooks: number;

  constructor(
    private readonly intervalMs: number,
    private readonly poller?: IdlePoller,
  ) {
    // A poller that polls as often as the loop can take over at once.
    this.idleAfterLooks = poller && intervalMs >= IDLE_INTERVAL_MS ? 1 : IDLE_AFTER_LOOKS;
  }

  /** Call after each poll. */
  looked(found: Polled): void {
    this.emptyLooks = found === false ? this.emptyLooks + 1 : 0;
  }

  /** Resolves when the next poll is due, or on `wake`. */
  wait(): Promise<void> {
    const isIdle = this.emptyLooks >= this.idleAfterLooks;
    return new Promise((resolve) => {
      const poller = isIdle ? this.poller : undefined;
      const after = (ms: number): NodeJS.Timeout => setTimeout(end, coalesced(ms));
      const end = (): void => {
        clearTimeout(timer);
        this.shorten = () => undefined;
        leave?.();
        resolve();
      };
      let timer = poller ? undefined : after(isIdle ? Math.max(this.intervalMs, IDLE_INTERVAL_MS) : this.intervalMs);
      const leave = poller?.watch(end);
      this.end = end;
      if (isIdle)
        this.shorten = () => {
          clearTimeout(timer);
          timer = after(this.intervalMs);
          this.shorten = () => undefined;
        };
    });
  }

  /** Makes the pauses short again, including the current one. */
  resetBackoff(): void {
    this.emptyLooks = 0;
    this.shorten();
  }

  /** Ends the current pause. */
  wake(): void {
    this.resetBackoff();
    this.end();
  }
}
