import type { AppError } from '@switchyard/kernel';

/** Signals that the client of one response has disconnected, and why. A cheaper AbortController. */
export class DisconnectSignal {
  private isPast = false;
  private why: AppError | undefined;
  private listener: (() => void) | undefined;

  get isDisconnected(): boolean {
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
    this.listener?.();
  }

  /** One may listen. */
  onLeave(listener: () => void): void {
    this.listener = listener;
    if (this.isPast) listener();
  }
}
