import { failpoint } from '@switchyard/kernel';
import type { OutboxRow, OutboxStore } from './outbox-and-inbox-stores';

/** Most events in memory. */
const BATCH = 32;

/** A refused event is retried with a growing delay, a deferred one as soon as possible. */
export type PublishOutcome = 'published' | 'refused' | 'put off';

/**
 * Publishes events whose transaction was too large to keep them in memory: in order for each order key, and none behind
 * one that was not accepted.
 */
export class OrderedEventPublisher {
  private running: Promise<void> | undefined;
  private isWoken = false;
  private wasPutOff = false;

  constructor(
    private readonly store: OutboxStore,
    private readonly publish: (row: OutboxRow) => Promise<PublishOutcome>,
    /** Called when the queue cannot be read or written. */
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Whether the last attempt deferred events. */
  get hasDeferred(): boolean {
    return this.wasPutOff;
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Runs in the background until the queue is empty or an event is deferred; the next call continues. */
  publishAll(): void {
    this.isWoken = true;
    this.running ??= this.run()
      .catch(this.onFailure)
      .finally(() => {
        this.running = undefined;
      });
  }

  private async run(): Promise<void> {
    while (this.isWoken) {
      this.isWoken = false;
      while (await this.publishSome());
    }
  }

  private async publishSome(): Promise<boolean> {
    const rows = await this.store.claimQueued(BATCH);
    this.wasPutOff = false;
    if (rows.length === 0) return false;
    await failpoint('outbox.queue-claimed');
    const outcomes = new Map<string, PublishOutcome>();
    const keys = [...new Set(rows.map(({ orderKey }) => orderKey))];
    const lines = keys.map((key) => rows.filter(({ orderKey }) => orderKey === key));
    await Promise.all(lines.map((line) => this.publishLine(line, outcomes)));
    const withOutcome = (outcome?: PublishOutcome): string[] =>
      rows.flatMap(({ id }) => (outcomes.get(id) === outcome ? [id] : []));
    const putOff = withOutcome('put off');
    this.wasPutOff = putOff.length > 0;
    await this.store.dequeue(withOutcome('published'), [...putOff, ...withOutcome()], withOutcome('refused'));
    // A refused event is not claimed again before its delay is over.
    return putOff.length === 0;
  }

  private async publishLine(rows: readonly OutboxRow[], outcomes: Map<string, PublishOutcome>): Promise<void> {
    for (const row of rows) {
      const outcome = await this.publish(row);
      outcomes.set(row.id, outcome);
      if (outcome !== 'published') return;
    }
  }
}
