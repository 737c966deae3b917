import { Injectable } from '@nestjs/common';
import { Gathering } from '@switchyard/concurrency';
import { failpoint } from '@switchyard/kernel';
import { TurnLeases } from './turn-leases';
import type { TurnFeed } from '../frames/turn-feed';

const LEAST_MS = 2;
const MOST_MS = 100;
const UNCONFIRMED_FLUSH_MS = 50;
/** Each further turn lengthens the window a little: under load fewer, larger messages, and the same order of delay per frame. */
const TURNS_PER_MS = 5;

/** Lets the frames of all turns out together, at once where it is quiet and every few milliseconds where it is not. */
@Injectable()
export class FeedTicker {
  private readonly dirty = new Gathering<TurnFeed>(
    () => this.windowMs,
    (feeds) => {
      const paused = failpoint('agent.speaking');
      if (paused === undefined) this.letOut(feeds);
      return paused?.finally(() => {
        this.letOut(feeds);
      });
    },
  );

  constructor(private readonly leases: TurnLeases) {}

  readonly mark = (feed: TurnFeed): void => {
    this.dirty.add(feed);
  };

  private get windowMs(): number {
    return this.leases.areConfirmed
      ? Math.min(MOST_MS, LEAST_MS + this.leases.turns / TURNS_PER_MS)
      : UNCONFIRMED_FLUSH_MS;
  }

  private letOut(feeds: ReadonlySet<TurnFeed>): void {
    const { areConfirmed } = this.leases;
    for (const feed of feeds)
      if (areConfirmed) feed.flush();
      else this.mark(feed);
  }
}
