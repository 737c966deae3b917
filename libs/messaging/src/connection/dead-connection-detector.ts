import { coalesced } from '@switchyard/kernel';
import type { NatsConnection } from 'nats';

const PING_EVERY_MS = 400;
/** Where nobody waits for an answer. Who begins to wait has a ping sent at once. */
const IDLE_PING_EVERY_MS = 2_000;
/** A server that has not answered a ping by then is taken for frozen, or for cut off. */
const ANSWER_WITHIN_MS = 1_000;

/**
 * Notices that the server does not answer although its connection stands: it is frozen, or the network swallows what is
 * sent. Within one and a half seconds where somebody waits for an answer, within three where nobody does. The client
 * itself would find out after ten, and only by breaking the connection.
 */
export class DeadConnectionDetector {
  private timer: NodeJS.Timeout | undefined;
  private answering = true;
  private isAsking = false;
  private askedAt = -Infinity;
  private isWaitedFor = false;

  constructor(
    private readonly connection: NatsConnection,
    private readonly onChange: (isAnswering: boolean) => void,
  ) {}

  start(): void {
    clearTimeout(this.timer);
    const isUrgent = this.isWaitedFor || !this.answering;
    this.isWaitedFor = false;
    this.timer = setTimeout(
      () => {
        this.ping();
      },
      isUrgent ? PING_EVERY_MS : coalesced(IDLE_PING_EVERY_MS),
    );
    this.timer.unref();
  }

  /** Somebody begins to wait for an answer, and goes another way should none come. */
  hurry(): void {
    this.isWaitedFor = true;
    if (!this.timer || this.isAsking || performance.now() - this.askedAt < PING_EVERY_MS) return;
    clearTimeout(this.timer);
    this.ping();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private ping(): void {
    if (this.connection.isClosed()) return;
    let isOpen = true;
    this.isAsking = true;
    this.askedAt = performance.now();
    const late = setTimeout(() => {
      // A process that stalled itself finds the answer in its socket: it is read before this runs.
      setImmediate(() =>
        setImmediate(() => {
          if (isOpen) this.say(false);
        }),
      );
    }, ANSWER_WITHIN_MS);
    late.unref();
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
        clearTimeout(late);
        if (this.timer) this.start();
      });
  }

  private say(isAnswering: boolean): void {
    if (this.answering === isAnswering) return;
    this.answering = isAnswering;
    this.onChange(isAnswering);
  }
}
