import type { NatsConnection } from 'nats';

const PING_EVERY_MS = 400;
/** A server that has not answered a ping by then is taken for frozen, or for cut off. */
const ANSWER_WITHIN_MS = 1_000;

/**
 * Notices within one and a half seconds that the server does not answer although its connection stands: it is frozen,
 * or the network swallows what is sent. The client itself would find out after ten, and only by breaking the connection.
 */
export class DeadConnectionDetector {
  private timer: NodeJS.Timeout | undefined;
  private answering = true;

  constructor(
    private readonly connection: NatsConnection,
    private readonly onChange: (isAnswering: boolean) => void,
  ) {}

  start(): void {
    this.timer = setTimeout(() => {
      this.ping();
    }, PING_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private ping(): void {
    if (this.connection.isClosed()) return;
    let isOpen = true;
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
