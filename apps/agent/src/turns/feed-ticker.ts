import { Injectable } from '@nestjs/common';
import { failpoint } from '@switchyard/kernel';
import { HeldLeases } from './held-leases';
import type { TurnFeed } from './turn-feed';

const LEAST_MS = 2;
const MOST_MS = 100;
const DOUBT_MS = 50;
/** Each further turn lengthens the tick a little: under load fewer, larger messages, and the same order of delay per frame. */
const TURNS_PER_MS = 5;

/** Lets the frames of all turns out together, at once where it is quiet and every few milliseconds where it is not. */
@Injectable()
export class FeedTicker {
  private readonly dirty = new Set<TurnFeed>();
  private timer: NodeJS.Timeout | undefined;
  private soon = false;
  private lastMs = 0;

  constructor(private readonly leases: HeldLeases) {}

  readonly mark = (feed: TurnFeed): void => {
    this.dirty.add(feed);
    if (this.timer !== undefined || this.soon) return;
    const wait = this.lastMs + this.windowMs - performance.now();
    if (wait <= 0) {
      this.soon = true;
      // Not before what this turn of the event loop sends to others, the question to the model above all.
      setImmediate(this.flush);
    } else this.timer = setTimeout(this.flush, wait);
  };

  private get windowMs(): number {
    return Math.min(MOST_MS, LEAST_MS + this.leases.turns / TURNS_PER_MS);
  }

  private readonly flush = (): void => {
    const hold = failpoint('agent.speaking');
    if (hold === undefined) this.letOut();
    else void hold.finally(this.letOut);
  };

  private readonly letOut = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.soon = false;
    if (!this.leases.areBelieved) {
      this.timer = setTimeout(this.flush, DOUBT_MS);
      return;
    }
    this.lastMs = performance.now();
    const feeds = [...this.dirty];
    this.dirty.clear();
    for (const feed of feeds) feed.flush();
  };
}
