import { failpoint } from '@switchyard/kernel';
import type { OutboxRow, OutboxStore } from './ports';

/** They are in memory together. */
const BATCH = 32;

/**
 * Publishes events whose order must hold although their transaction could not keep them in memory: one after the other
 * where they have the same order key, and none behind one that was not accepted.
 */
export class QueuedEvents {
  private running: Promise<void> | undefined;
  private isWoken = false;

  constructor(
    private readonly store: OutboxStore,
    /** Whether the event was accepted. */
    private readonly publish: (row: OutboxRow) => Promise<boolean>,
    /** Told when the queue could not be read or written. */
    private readonly onFailure: (error: unknown) => void,
  ) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** In the background, until none is left, or one is not accepted: then the next call goes on. */
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
    if (rows.length === 0) return false;
    await failpoint('outbox.queue-claimed');
    const keys = [...new Set(rows.map(({ orderKey }) => orderKey))];
    const lines = keys.map((key) => this.publishLine(rows.filter(({ orderKey }) => orderKey === key)));
    const published = (await Promise.all(lines)).flat();
    const left = new Set(published);
    const others = rows.flatMap(({ id }) => (left.has(id) ? [] : [id]));
    await this.store.dequeue(published, others);
    return others.length === 0;
  }

  private async publishLine(rows: readonly OutboxRow[]): Promise<string[]> {
    const published: string[] = [];
    for (const row of rows) {
      if (!(await this.publish(row))) break;
      published.push(row.id);
    }
    return published;
  }
}
