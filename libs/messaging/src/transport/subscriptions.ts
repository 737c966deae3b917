import { setImmediate } from 'node:timers/promises';
import { backoffMs } from '@switchyard/kernel';
import type { NatsConnection, Subscription, SubscriptionOptions } from 'nats';
import type { BusLog } from '../options';

const RETRY = { baseMs: 500, maxMs: 15_000 };

interface WatchedSubscription {
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
  private readonly active = new Set<WatchedSubscription>();
  private count = 0;

  constructor(
    private readonly log: BusLog,
    private readonly connection: () => NatsConnection,
  ) {}

  /** Returns a function that drains and ends it. */
  add(subject: string, options: SubscriptionOptions): () => Promise<void> {
    const subscription = this.connection().subscribe(subject, options);
    const watched: WatchedSubscription = { subject, options, subscription, refusals: 0, timer: undefined };
    this.active.add(watched);
    return () => {
      this.active.delete(watched);
      clearTimeout(watched.timer);
      return watched.subscription.drain();
    };
  }

  /** Subjects that NATS refuses. */
  get refused(): string[] {
    return [...this.active].flatMap(({ subject, refusals }) => (refusals > 0 ? [subject] : []));
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
    for (const watched of this.active) if (watched.subject === subject) this.retryLater(watched);
  }

  stop(): void {
    for (const { timer } of this.active) clearTimeout(timer);
    this.active.clear();
  }

  private retryLater(watched: WatchedSubscription): void {
    this.count += 1;
    watched.refusals += 1;
    const waitMs = backoffMs(watched.refusals, RETRY);
    this.log.error({ subject: watched.subject, waitMs }, 'NATS rejected a subscription; retrying');
    clearTimeout(watched.timer);
    watched.timer = setTimeout(() => {
      this.retry(watched).catch((error: unknown) => {
        // On disconnect; NATS refuses it again after a reconnect.
        this.log.debug({ err: error, subject: watched.subject }, 'failed to retry a subscription');
        this.retryLater(watched);
      });
    }, waitMs);
    watched.timer.unref();
  }

  private async retry(watched: WatchedSubscription): Promise<void> {
    const { subject, options, refusals } = watched;
    watched.subscription.unsubscribe();
    watched.subscription = this.connection().subscribe(subject, options);
    // A refusal arrives before the pong, and is reported some turns of the event loop later.
    await this.connection().flush();
    await setImmediate();
    if (watched.refusals !== refusals || !this.active.has(watched)) return;
    watched.refusals = 0;
    this.log.info({ subject }, 'NATS accepted the subscription');
  }
}
