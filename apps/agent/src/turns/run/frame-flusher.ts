import { Injectable } from '@nestjs/common';
import { ThrottledBatch } from '@switchyard/concurrency';
import { failpoint } from '@switchyard/kernel';
import { TurnLeases } from './turn-leases';
import type { TurnFeed } from '../frames/turn-feed';

const MIN_MS = 2;
const MAX_MS = 100;
const UNCONFIRMED_FLUSH_MS = 50;
/** Each further turn lengthens the window a little: under load fewer, larger messages, and the same order of delay per frame. */
const TURNS_PER_MS = 5;

/** Flushes the frames of all turns in batches: immediately when idle, every few milliseconds under load. */
@Injectable()
export class FrameFlusher {
  private readonly dirty = new ThrottledBatch<TurnFeed>(
    () => this.windowMs,
    (feeds) => {
      const paused = failpoint('agent.speaking');
      if (paused === undefined) this.flushAll(feeds);
      return paused?.finally(() => {
        this.flushAll(feeds);
      });
    },
  );

  constructor(private readonly leases: TurnLeases) {}

  readonly mark = (feed: TurnFeed): void => {
    this.dirty.add(feed);
  };

  private get windowMs(): number {
    return this.leases.areConfirmed
      ? Math.min(MAX_MS, MIN_MS + this.leases.turns / TURNS_PER_MS)
      : UNCONFIRMED_FLUSH_MS;
  }

  private flushAll(feeds: ReadonlySet<TurnFeed>): void {
    const { areConfirmed } = this.leases;
    for (const feed of feeds)
      if (areConfirmed) feed.flush();
      else this.mark(feed);
  }
}
