const WINDOW_MS = 10_000;
const MOST_MESSAGES = 5000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Counts the messages of an account that are refused, dropped or without effect. */
export class FloodGuard {
  private beganAt = -Infinity;
  private messages = 0;
  private bytes = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** True where it is too much: the account must not be heard for a while. Counting begins anew then. */
  note(bytes: number): boolean {
    const now = this.now();
    if (now - this.beganAt >= WINDOW_MS) this.begin(now);
    this.messages += 1;
    this.bytes += bytes;
    if (this.messages <= MOST_MESSAGES && this.bytes <= MOST_BYTES) return false;
    this.begin(-Infinity);
    return true;
  }

  private begin(at: number): void {
    this.beganAt = at;
    this.messages = 0;
    this.bytes = 0;
  }
}

/** How long an account that floods is not heard. */
export const SILENT_MS = 10_000;
