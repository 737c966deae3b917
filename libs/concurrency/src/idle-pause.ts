import { coalesced } from './coalesced-timers';

/**
 * What a look for work has found. `true`: there may be more at once. `'soon'`: something was there, or may come without a
 * wake-up. `false`: nothing was there, and whatever makes work wakes this process, or can wait for its next idle look.
 */
export type Polled = boolean | 'soon';

/** Looks in the place of a loop that has found nothing for a while, together with others of the process. */
export interface Lookout {
  /** Calls `wake` once there may be something to do, until the returned function is called. */
  watch(wake: () => void): () => void;
}

/** After so many looks for nothing a loop is idle. */
const IDLE_AFTER_LOOKS = 10;
export const IDLE_INTERVAL_MS = 5_000;
/** A loop with a lookout also looks for itself about once a minute: what its lookout does not see comes late, and not never. */
const WITH_LOOKOUT_MS = 60_000;

/**
 * The pause between two looks for work: `intervalMs`, or five seconds where the last looks have found nothing. An idle
 * loop with a lookout is woken by it, and looks for itself once a minute.
 */
export class IdlePause {
  private emptyLooks = 0;
  private end: () => void = () => undefined;
  private shorten: () => void = () => undefined;
  private readonly idleAfterLooks: number;

  constructor(
    private readonly intervalMs: number,
    private readonly lookout?: Lookout,
  ) {
    // Where the lookout looks as often as the loop does, nothing speaks for ten looks of its own.
    this.idleAfterLooks = lookout && intervalMs >= IDLE_INTERVAL_MS ? 1 : IDLE_AFTER_LOOKS;
  }

  /** After each look. */
  looked(found: Polled): void {
    this.emptyLooks = found === false ? this.emptyLooks + 1 : 0;
  }

  /** Until the next look is due, or until `wake`. */
  wait(): Promise<void> {
    const isIdle = this.emptyLooks >= this.idleAfterLooks;
    return new Promise((resolve) => {
      const after = (ms: number): NodeJS.Timeout => setTimeout(end, coalesced(ms));
      const end = (): void => {
        clearTimeout(timer);
        this.shorten = () => undefined;
        leave?.();
        resolve();
      };
      let timer = after(isIdle ? this.idleMs() : this.intervalMs);
      const leave = isIdle ? this.lookout?.watch(end) : undefined;
      this.end = end;
      if (isIdle)
        this.shorten = () => {
          clearTimeout(timer);
          timer = after(this.intervalMs);
          this.shorten = () => undefined;
        };
    });
  }

  private idleMs(): number {
    if (!this.lookout) return Math.max(this.intervalMs, IDLE_INTERVAL_MS);
    // Not all loops of a process at once: each would need a connection of its own to the database.
    return Math.max(this.intervalMs, WITH_LOOKOUT_MS * (0.5 + Math.random()));
  }

  /** The pauses from now on are short again, the one that is under way included. */
  attend(): void {
    this.emptyLooks = 0;
    this.shorten();
  }

  /** Ends the pause at once, if there is one. */
  wake(): void {
    this.attend();
    this.end();
  }
}
