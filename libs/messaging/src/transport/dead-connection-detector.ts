import { coalesced } from '@switchyard/concurrency';
import type { NatsConnection } from 'nats';
import { breakConnection } from './break-connection';

const PING_EVERY_MS = 400;
/** Ping interval without pending calls. A new call sends a ping at once. */
const IDLE_PING_EVERY_MS = 5_000;
/** After this time without a pong, the server counts as unresponsive. */
const ANSWER_WITHIN_MS = 1_000;
/** A silent connection is replaced after this time. */
const BREAK_AFTER_MS = 10_000;

/**
 * Detects a server that does not answer on an open connection (frozen, or packets dropped): within 1.5 s while a call
 * is pending, 7 s otherwise. The client's own pings could only close the connection, and would be additional wake-ups.
 */
export class DeadConnectionDetector {
  private timer: NodeJS.Timeout | undefined;
  private late: NodeJS.Timeout | undefined;
  private dead: NodeJS.Timeout | undefined;
  private answering = true;
  private isAsking = false;
  private pingedAt = -Infinity;
  private waiting = 0;
  private dueAt = Infinity;

  constructor(
    private readonly connection: NatsConnection,
    private readonly onChange: (isAnswering: boolean) => void = () => undefined,
  ) {}

  start(): void {
    const isUrgent = this.waiting > 0 || !this.answering;
    this.pingIn(isUrgent ? PING_EVERY_MS : coalesced(IDLE_PING_EVERY_MS));
  }

  /** Registers a pending call, until the returned function is called. Aborted calls use the fallback. */
  wait(): () => void {
    this.waiting += 1;
    this.hurry();
    let isOver = false;
    return () => {
      if (!isOver) this.waiting -= 1;
      isOver = true;
    };
  }

  private hurry(): void {
    if (!this.timer || this.isAsking) return;
    const now = performance.now();
    const waitMs = Math.max(0, this.pingedAt + PING_EVERY_MS - now);
    if (this.dueAt - now > waitMs) this.pingIn(waitMs);
  }

  private pingIn(ms: number): void {
    clearTimeout(this.timer);
    this.dueAt = performance.now() + ms;
    this.timer = setTimeout(() => {
      this.ping();
    }, ms);
    this.timer.unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.clearPing();
  }

  private clearPing(): void {
    clearTimeout(this.late);
    clearTimeout(this.dead);
  }

  private ping(): void {
    if (this.connection.isClosed()) return;
    let isOpen = true;
    this.isAsking = true;
    this.pingedAt = performance.now();
    const unanswered = (ms: number, then: () => void): NodeJS.Timeout =>
      setTimeout(() => {
        // If this process stalled, the pong is in the socket and is read before this runs.
        setImmediate(() =>
          setImmediate(() => {
            if (isOpen && this.timer) then();
          }),
        );
      }, ms).unref();
    this.late = unanswered(ANSWER_WITHIN_MS, () => {
      this.report(false);
    });
    this.dead = unanswered(BREAK_AFTER_MS, () => {
      breakConnection(this.connection);
    });
    this.connection
      .flush()
      .then(
        () => {
          this.report(true);
        },
        // Disconnects are reported by the connection's own events.
        () => undefined,
      )
      .finally(() => {
        isOpen = false;
        this.isAsking = false;
        this.clearPing();
        if (this.timer) this.start();
      });
  }

  private report(isAnswering: boolean): void {
    if (this.answering === isAnswering) return;
    this.answering = isAnswering;
    this.onChange(isAnswering);
  }
}
