import { setImmediate } from 'node:timers/promises';
import { backoffMs } from '@switchyard/kernel';
import type { NatsConnection, Subscription, SubscriptionOptions } from 'nats';
import type { BusLog } from '../options';

const RETRY = { baseMs: 500, maxMs: 15_000 };

interface Wanted {
  readonly subject: string;
  readonly options: SubscriptionOptions;
  subscription: Subscription;
  /** Consecutive refusals; 0 while NATS accepts the subscription. */
  refusals: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * The long-lived subscriptions of this process. NATS may refuse or revoke one that permissions do not cover, while the
 * connection stays open. Such a subscription is retried until it is accepted.
 */
export class Subscriptions {
  private readonly wanted = new Set<Wanted>();
  private count = 0;

  constructor(
    private readonly log: BusLog,
    private readonly connection: () => NatsConnection,
  ) {}

  /** Returns a function that drains and ends it. */
  add(subject: string, options: SubscriptionOptions): () => Promise<void> {
    const subscription = this.connection().subscribe(subject, options);
    const wanted: Wanted = { subject, options, subscription, refusals: 0, timer: undefined };
    this.wanted.add(wanted);
    return () => {
      this.wanted.delete(wanted);
      clearTimeout(wanted.timer);
      return wanted.subscription.drain();
    };
  }

  /** Subjects that NATS refuses. */
  get refused(): string[] {
    return [...this.wanted].flatMap(({ subject, refusals }) => (refusals > 0 ? [subject] : []));
  }

  isRefused(subject: string): boolean {
    return this.refused.includes(subject);
  }

  /** Since the start. */
  get refusals(): number {
    return this.count;
  }

  /** NATS reports this on the connection, and does not always name the queue. */
  onRefused(subject: string): void {
    for (const wanted of this.wanted) if (wanted.subject === subject) this.retryLater(wanted);
  }

  stop(): void {
    for (const { timer } of this.wanted) clearTimeout(timer);
    this.wanted.clear();
  }

  private retryLater(wanted: Wanted): void {
    this.count += 1;
    wanted.refusals += 1;
    const waitMs = backoffMs(wanted.refusals, RETRY);
    this.log.error({ subject: wanted.subject, waitMs }, 'NATS refused a subscription; it is tried again');
    clearTimeout(wanted.timer);
    wanted.timer = setTimeout(() => {
      this.retry(wanted).catch((error: unknown) => {
        // On disconnect; NATS refuses it again after a reconnect.
        this.log.debug({ err: error, subject: wanted.subject }, 'a subscription could not be tried again');
        this.retryLater(wanted);
      });
    }, waitMs);
    wanted.timer.unref();
  }

  private async retry(wanted: Wanted): Promise<void> {
    const { subject, options, refusals } = wanted;
    wanted.subscription.unsubscribe();
    wanted.subscription = this.connection().subscribe(subject, options);
    // A refusal arrives before the pong, and is reported some turns of the event loop later.
    await this.connection().flush();
    await setImmediate();
    if (wanted.refusals !== refusals || !this.wanted.has(wanted)) return;
    wanted.refusals = 0;
    this.log.info({ subject }, 'NATS takes the subscription now');
  }
}
