import { coalesced } from '@switchyard/concurrency';
import type { NatsConnection } from 'nats';
import { breakConnection } from './break-connection';

const PING_EVERY_MS = 400;
/** While no call waits for an answer. A call that begins to wait has a ping sent at once. */
const IDLE_PING_EVERY_MS = 5_000;
/** A server that has not answered a ping by then is taken for frozen, or for cut off. */
const ANSWER_WITHIN_MS = 1_000;
/** A connection that stands and is silent for so long is left for a new one. */
const BREAK_AFTER_MS = 10_000;

/**
 * Notices that the server does not answer although its connection stands: it is frozen, or the network swallows what is
 * sent. This takes a second and a half while a call waits for an answer, and up to seven seconds otherwise. The pings of
 * the client itself would wake the process once more, each at another time, and could only break the connection.
 */
export class DeadConnectionDetector {
  private timer: NodeJS.Timeout | undefined;
  private late: NodeJS.Timeout | undefined;
  private dead: NodeJS.Timeout | undefined;
  private answering = true;
  private isAsking = false;
  private askedAt = -Infinity;
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

  /** A call waits for an answer, until the returned function is called. If none comes, it takes another way. */
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
    const waitMs = Math.max(0, this.askedAt + PING_EVERY_MS - now);
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
    this.forgetPing();
  }

  private forgetPing(): void {
    clearTimeout(this.late);
    clearTimeout(this.dead);
  }

  private ping(): void {
    if (this.connection.isClosed()) return;
    let isOpen = true;
    this.isAsking = true;
    this.askedAt = performance.now();
    const unanswered = (ms: number, then: () => void): NodeJS.Timeout =>
      setTimeout(() => {
        // A process that stalled itself finds the answer in its socket: it is read before this runs.
        setImmediate(() =>
          setImmediate(() => {
            if (isOpen && this.timer) then();
          }),
        );
      }, ms).unref();
    this.late = unanswered(ANSWER_WITHIN_MS, () => {
      this.say(false);
    });
    this.dead = unanswered(BREAK_AFTER_MS, () => {
      breakConnection(this.connection);
    });
    this.connection
      .flush()
      .then(
        () => {
          this.say(true);
        },
        // The connection broke: its own events say so.
        () => undefined,
      )
      .finally(() => {
        isOpen = false;
        this.isAsking = false;
        this.forgetPing();
        if (this.timer) this.start();
      });
  }

  private say(isAnswering: boolean): void {
    if (this.answering === isAnswering) return;
    this.answering = isAnswering;
    this.onChange(isAnswering);
  }
}
